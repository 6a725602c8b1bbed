/// How far the work for the newest value is.
///
///     let phases: [TaskPhase<Int>] = [.running(last: nil), .finished(1), .running(last: 1), .failed(CancellationError(), last: 1)]
///     print(phases.map { $0.output ?? 0 })        // [0, 1, 1, 1]
public enum TaskPhase<Output: Sendable>: Sendable {
    /// `last` is what the work for an earlier value brought.
    case running(last: Output?)
    /// The work has brought this.
    case finished(Output)
    /// The work has failed; `last` is what the work for an earlier value brought.
    case failed(any Error, last: Output?)
    /// What the newest finished work brought.
    public var output: Output? {
        switch self {
        case .running(let last), .failed(_, let last): last
        case .finished(let output): output
        }
    }
}
