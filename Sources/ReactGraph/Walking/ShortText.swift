import ReactCore

extension ValueText {
    /// Runs `body`, and describes values only as far as the first `limit` characters need; `nil` describes all of
    /// them.
    ///
    /// Text and the collections of the standard library are cut. A cut description has more than `limit` characters.
    static func limited<Result>(to limit: Int?, _ body: () -> Result) -> Result {
        $describer.withValue(limit.map { ShortText(limit: $0) }, operation: body)
    }
    /// Returns the first value that `body` describes, in place of its description.
    static func value(describedBy body: () -> String?) -> Any? {
        let first = FirstDescribed()
        _ = $describer.withValue(first, operation: body)
        return first.value
    }
}

/// Keeps the first value that it is to describe.
///
/// Unchecked, because only the call that makes it uses it.
private final class FirstDescribed: Describer, @unchecked Sendable {
    var value: Any?
    func text(of value: Any) -> String? {
        self.value = self.value ?? value
        return ""
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
extension PartlyDescribable where Self: StringProtocol {
    fileprivate func description(ofFirst count: Int) -> String { String(prefix(count)) }
}
extension PartlyDescribable where Self: Collection {
    fileprivate func description(ofFirst count: Int) -> String { "\(Array(prefix(count)))" }
}
extension String: PartlyDescribable {}
extension Substring: PartlyDescribable {}
extension Array: PartlyDescribable {}
extension ArraySlice: PartlyDescribable {}
extension Set: PartlyDescribable {}
extension Dictionary: PartlyDescribable {
    fileprivate func description(ofFirst count: Int) -> String {
        let parts = prefix(count).map { "\(String(reflecting: $0.key)): \(String(reflecting: $0.value))" }
        return parts.isEmpty ? "[:]" : "[\(parts.joined(separator: ", "))]"
    }
}
