import ReactCore

extension ValueText {
    /// Runs `body`, and describes values only as far as the first `limit` characters need; `nil` describes all of
    /// them.
    ///
    /// Text and the collections of the standard library are cut. A cut description has more than `limit` characters.
    static func limited<Result>(to limit: Int?, _ body: () -> Result) -> Result {
        $describer.withValue(limit.map { ShortText(limit: $0) }, operation: body)
    }
}

private struct ShortText: Describer {
    let limit: Int

    func text(of value: Any) -> String? { (value as? any PartlyDescribable)?.description(ofFirst: limit + 1) }
}

/// A value whose description begins with those of its first parts, each with one character or more.
private protocol PartlyDescribable {
    func description(ofFirst count: Int) -> String
}
extension String: PartlyDescribable {
    fileprivate func description(ofFirst count: Int) -> String { String(prefix(count)) }
}
extension Substring: PartlyDescribable {
    fileprivate func description(ofFirst count: Int) -> String { String(prefix(count)) }
}
extension Array: PartlyDescribable {
    fileprivate func description(ofFirst count: Int) -> String { "\(prefix(count))" }
}
extension ArraySlice: PartlyDescribable {
    fileprivate func description(ofFirst count: Int) -> String { "\(prefix(count))" }
}
extension Set: PartlyDescribable {
    fileprivate func description(ofFirst count: Int) -> String { "\(Array(prefix(count)))" }
}
extension Dictionary: PartlyDescribable {
    fileprivate func description(ofFirst count: Int) -> String {
        let parts = prefix(count).map { "\(String(reflecting: $0.key)): \(String(reflecting: $0.value))" }
        return parts.isEmpty ? "[:]" : "[\(parts.joined(separator: ", "))]"
    }
}
