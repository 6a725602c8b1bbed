/// Where an enumeration stands: printed beside a failure, it says which case failed.
///
///     withEvery("links", in: 0...4) { links in
///         #expect(works(links), "\(Trace.current)")
///     }
public struct Trace: Sendable, CustomStringConvertible {
    @TaskLocal public static var current = Trace()

    private var steps: [String] = []

    public var description: String { steps.isEmpty ? "" : "with " + steps.joined(separator: ", ") }

    fileprivate func appending(_ step: String) -> Trace {
        var copy = self
        copy.steps.append(step)
        return copy
    }
}

/// Runs `body` for every element, with `label` and the element on the trace.
public func withEvery<S: Sequence>(
    _ label: String,
    in elements: S,
    _ body: (S.Element) throws -> Void
) rethrows {
    for element in elements {
        try Trace.$current.withValue(Trace.current.appending("\(label): \(element)")) {
            try body(element)
        }
    }
}

/// Every way to pick `count` elements of `elements` in order, with repetition.
public func sequences<Element>(of elements: [Element], count: Int) -> [[Element]] {
    (0..<count).reduce([[]]) { shorter, _ in
        shorter.flatMap { prefix in elements.map { prefix + [$0] } }
    }
}
