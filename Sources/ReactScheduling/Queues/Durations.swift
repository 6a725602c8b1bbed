import ReactCore

extension Duration {
    /// Returns the sum. If it is out of range, returns the longest or the shortest duration that there is.
    func adding(_ other: Duration) -> Duration {
        let (sum, overflow) = attoseconds.addingReportingOverflow(other.attoseconds)
        return Duration(attoseconds: overflow ? (other > .zero ? .max : .min) : sum)
    }
    /// Returns the difference. If it is out of range, returns the longest or the shortest duration that there is.
    func subtracting(_ other: Duration) -> Duration {
        let (difference, overflow) = attoseconds.subtractingReportingOverflow(other.attoseconds)
        return Duration(attoseconds: overflow ? (other > .zero ? .min : .max) : difference)
    }
    /// Ends the process with a message if this is not the length of an interval. `remedy` names the code to write
    /// instead.
    func requirePositive(_ operation: String, _ remedy: StaticString, _ file: StaticString, _ line: UInt) {
        require(
            self > .zero, "\(operation): the interval must be greater than zero, and \(self) is not. \(remedy).",
            file: file, line: line)
    }
}

extension Scheduler {
    /// The time from now to `due`, not less than zero. `nil` if there is no due time, or no clock to read.
    func rest(until due: Duration?) -> Duration? {
        guard let due, let now = clockReading else { return nil }
        return max(due.subtracting(now), .zero)
    }
}
