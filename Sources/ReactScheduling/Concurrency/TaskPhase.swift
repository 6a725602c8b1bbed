/// The stage of the work for the newest value: running, finished or failed.
///
///     let phases: [TaskPhase<Int>] = [.running(last: nil), .finished(1), .running(last: 1), .failed(CancellationError(), last: 1)]
///     print(phases.map { $0.output ?? 0 })        // [0, 1, 1, 1]
///     print(phases.map(\.isRunning))              // [true, false, true, false]
///     print(phases.map { $0.finished ?? 0 })      // [0, 1, 0, 0]
///     print(phases.filter { $0.failure != nil }.count)        // 1
public enum TaskPhase<Output: Sendable>: Sendable {
    /// The work is under way. `last` is the output of the work for an earlier value.
    case running(last: Output?)
    /// The work has ended with this output.
    case finished(Output)
    /// The work has failed. `last` is the output of the work for an earlier value. If the edge is cut while the work
    /// runs, the error is a `CancellationError`.
    case failed(any Error, last: Output?)

    /// The newest output: that of the finished work, else that of the work for an earlier value.
    public var output: Output? {
        switch self {
        case .running(let last), .failed(_, let last): last
        case .finished(let output): output
        }
    }
    /// True while the work is under way, for a spinner.
    public var isRunning: Bool { if case .running = self { true } else { false } }
    /// The output of the work for the newest value. `nil` while the work runs, and if it has failed.
    public var finished: Output? { if case .finished(let output) = self { output } else { nil } }
    /// The error of the work for the newest value. `nil` unless the work has failed.
    public var failure: (any Error)? { if case .failed(let error, _) = self { error } else { nil } }
}

extension TaskPhase: Equatable where Output: Equatable {
    /// Returns true if both are at one stage with equal outputs, and their errors are alike.
    ///
    /// Two errors are alike if they are of one type and equal. If the type is not `Equatable`, they are alike if their
    /// texts are equal.
    ///
    ///     let phase = TaskPhase<Int>.failed(CancellationError(), last: 1)
    ///     print(phase == .failed(CancellationError(), last: 1), phase == .running(last: 1))      // true false
    public static func == (one: TaskPhase, other: TaskPhase) -> Bool {
        switch (one, other) {
        case (.running(let last), .running(let otherLast)): last == otherLast
        case (.finished(let output), .finished(let otherOutput)): output == otherOutput
        case (.failed(let error, let last), .failed(let otherError, let otherLast)):
            last == otherLast && areAlike(error, otherError)
        default: false
        }
    }
    private static func areAlike(_ one: any Error, _ other: any Error) -> Bool {
        guard type(of: one) == type(of: other) else { return false }
        // The cast through `Any` hides from the compiler that this is an error. It takes every error to be `Equatable`,
        // because some are by bridging.
        if let one = one as Any as? any Equatable { return areEqual(one, other) }
        return String(reflecting: one) == String(reflecting: other)
    }
    private static func areEqual<E: Equatable>(_ one: E, _ other: any Error) -> Bool { other as Any as? E == one }
}
