/// The data of a page, for its script.
///
/// Stores lists of numbers rather than objects, and each text once, so that a page of 100,000 records is small enough
/// to open at once. Texts are positions in `texts`. Nodes, edges and events are positions in their tables.
package struct PageContent: Encodable {
    /// The node that the page is about.
    private let focus = 0
    private var texts: [String] = []
    private var places: [String: Int] = [:]
    /// The names of the kinds of events, and their sentences. An event has a place in these lists.
    private let kinds: [String]
    private let placesOfKinds: [String: Int]
    private let sentences: [String]
    package var nodes = Table()
    package var edges = Table()
    /// Sets by a listener, or by a join, which has no edge.
    package var sets = Table()
    package var events = Table()
    /// The lines that say why a node was not set since its last value: a text, or an event that tells it.
    package var answers = Table()
    /// The other causes of an event, and the kept values that a zip used, for each event that has any.
    package var others: [Int: [Int]] = [:]
    /// Edge, and the mean of its timed calls in nanoseconds.
    package var times: [Int: Int] = [:]
    private let evicted: Int

    private enum CodingKeys: CodingKey {
        case focus, texts, kinds, sentences, nodes, edges, sets, events, answers, others, times, evicted
    }

    /// - Parameters:
    ///   - kinds: The name of each kind of event, and the sentence that tells of it.
    ///   - evicted: The number of evicted records.
    package init(kinds: [(name: String, sentence: String)], evicted: Int) {
        self.kinds = kinds.map(\.name)
        placesOfKinds = Dictionary(uniqueKeysWithValues: kinds.enumerated().map { ($1.name, $0) })
        sentences = kinds.map(\.sentence)
        self.evicted = evicted
    }
    /// Returns the position of a text, and adds the text if it is new.
    package mutating func place(of text: String?) -> Int? {
        guard let text else { return nil }
        if let known = places[text] { return known }
        places[text] = texts.count
        texts.append(text)
        return texts.count - 1
    }
    /// Returns the position of a kind of event.
    package func place(ofKind name: String) -> Int? { placesOfKinds[name] }

    /// Rows for the script: a list for each field, in which -1 stands for none.
    package struct Table: Encodable {
        private var fields: [String] = []
        private var columns: [[Int]] = []
        package private(set) var count = 0

        /// Adds a row. All rows of a table have the same fields in the same order.
        package mutating func add(_ row: KeyValuePairs<String, Int?>) {
            if count == 0 { (fields, columns) = (row.map(\.key), row.map { _ in [] }) }
            for place in row.indices { columns[place].append(row[place].value ?? -1) }
            count += 1
        }
        package func encode(to encoder: any Encoder) throws {
            try Dictionary(uniqueKeysWithValues: zip(fields, columns)).encode(to: encoder)
        }
    }
}
