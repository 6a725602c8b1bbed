import ReactCore

extension ValueText {
    /// Returns the text that `body` returns, in which equal values have equal descriptions, as in
    /// ``ReactCore/AnyNode/journalText``.
    static func sorted(_ body: () -> String?) -> String? {
        let text = $describer.withValue(SortedText(), operation: body)
        // Swift writes addresses into the names of private types.
        guard let text, text.contains("(unknown context at $") else { return text }
        return text.replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
    }
}

/// Describes values as Swift does, with the parts of sets and dictionaries in order.
private struct SortedText: Describer {
    func text(of value: Any) -> String? { text(of: value, isPart: false) }
    func text(ofPart value: Any) -> String? { text(of: value, isPart: true) }

    /// Returns `nil` for a value that contains no set or dictionary. The description of a part names its type in full.
    private func text(of value: Any, isPart: Bool) -> String? {
        if let container = value as? any ContainerOfParts { return text(of: container.parts, isPart: isPart) }
        if value is any CustomStringConvertible || value is any CustomDebugStringConvertible { return nil }
        let mirror = Mirror(reflecting: value)
        let type = isPart ? String(reflecting: mirror.subjectType) : String(describing: mirror.subjectType)
        switch mirror.displayStyle {
        case .tuple?:
            // The labels of a tuple without any are ".0", ".1".
            return parts(of: mirror) { $0.hasPrefix(".") ? "" : "\($0): " }.map { "(\($0))" }
        case .struct?: return parts(of: mirror) { "\($0): " }.map { "\(type)(\($0))" }
        case .enum?:
            guard let (label, payload) = mirror.children.first, let text = text(ofPart: payload) else { return nil }
            let name = (isPart ? "\(type)." : "") + (label ?? "")
            return Mirror(reflecting: payload).displayStyle == .tuple ? name + text : "\(name)(\(text))"
        default: return nil
        }
    }
    private func parts(of mirror: Mirror, label: (String) -> String) -> String? {
        texts(of: mirror.children.map(\.value)).map { texts in
            zip(mirror.children, texts).map { label($0.label ?? "") + $1 }.joined(separator: ", ")
        }
    }
    private func text(of parts: Parts, isPart: Bool) -> String? {
        switch parts {
        case .one(let value, let type): value.flatMap(text(ofPart:)).map { "\(type)(\($0))" }
        case .list(let values, let type): texts(of: values).map { list($0, named: isPart ? type : nil) }
        case .sortedList(let values, let type): list(values.map(part).sorted(), named: isPart ? type : nil)
        case .pairs(let pairs): pairs.isEmpty ? "[:]" : list(pairs.map(text(ofPair:)))
        case .sortedPairs(let pairs): pairs.isEmpty ? "[:]" : list(pairs.map(text(ofPair:)).sorted())
        }
    }
    /// Returns the text of a part, as Swift writes it if it contains no set or dictionary.
    private func part(_ value: Any) -> String { text(ofPart: value) ?? String(reflecting: value) }
    private func text(ofPair pair: (Any, Any)) -> String { "\(part(pair.0)): \(part(pair.1))" }
    /// Returns `nil` if no value contains a set or dictionary.
    private func texts(of values: [Any]) -> [String]? {
        let sorted = values.map(text(ofPart:))
        guard sorted.contains(where: { $0 != nil }) else { return nil }
        return zip(values, sorted).map { $1 ?? String(reflecting: $0) }
    }
    /// Returns the text of a list, with the name of its type before it if that is given.
    private func list(_ texts: [String], named type: String? = nil) -> String {
        let list = "[\(texts.joined(separator: ", "))]"
        return type.map { "\($0)(\(list))" } ?? list
    }
}

/// The parts of a value of the standard library. The name of its type stands before a list that is itself a part.
private enum Parts {
    case one(Any?, type: String)
    case list([Any], type: String?), sortedList([Any], type: String)
    case pairs([(Any, Any)]), sortedPairs([(Any, Any)])
}
/// A value of the standard library that contains others.
private protocol ContainerOfParts {
    var parts: Parts { get }
}
extension Optional: ContainerOfParts {
    fileprivate var parts: Parts { .one(map { $0 as Any }, type: "Optional") }
}
extension Array: ContainerOfParts {
    fileprivate var parts: Parts { .list(self, type: nil) }
}
extension ArraySlice: ContainerOfParts {
    fileprivate var parts: Parts { .list(Array(self), type: "ArraySlice") }
}
extension ContiguousArray: ContainerOfParts {
    fileprivate var parts: Parts { .list(Array(self), type: "ContiguousArray") }
}
extension CollectionOfOne: ContainerOfParts {
    fileprivate var parts: Parts { .one(self[0], type: "CollectionOfOne") }
}
extension KeyValuePairs: ContainerOfParts {
    fileprivate var parts: Parts { .pairs(map { ($0.key, $0.value) }) }
}
extension Set: ContainerOfParts {
    fileprivate var parts: Parts { .sortedList(Array(self), type: "Set") }
}
extension Dictionary: ContainerOfParts {
    fileprivate var parts: Parts { .sortedPairs(map { ($0.key, $0.value) }) }
}
extension Dictionary.Keys: ContainerOfParts {
    fileprivate var parts: Parts { .sortedList(Array(self), type: "Dictionary.Keys") }
}
extension Dictionary.Values: ContainerOfParts {
    fileprivate var parts: Parts { .sortedList(Array(self), type: "Dictionary.Values") }
}
