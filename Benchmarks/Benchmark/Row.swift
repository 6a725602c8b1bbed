/// One line of the report, as it stands in the table and in the JSON file.
struct Row: Codable, Equatable {
    var group: String?
    let name: String
    let size: String
    let metric: String
    let median: Double
    let min: Double
    /// The name of the baseline and its minimum in the same metric, or its median if pairs are compared.
    var floor: String?
    var baseline: Double?
    /// The case's minimum over the baseline's; or the middle one of the ratios of all pairs.
    var ratio: Double?

    enum CodingKeys: String, CodingKey {
        case name = "case"
        case group, size, metric, median, min, floor, baseline, ratio
    }

    /// The parts that stay the same from one run to the next.
    struct Key: Hashable {
        let name: String
        let size: String
        let metric: String
    }
    var key: Key { Key(name: name, size: size, metric: metric) }
}
