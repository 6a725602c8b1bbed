extension Duration {
    /// The sum; the longest or the shortest duration there is, where it would be beyond that.
    func adding(_ other: Duration) -> Duration {
        let (sum, overflow) = attoseconds.addingReportingOverflow(other.attoseconds)
        return Duration(attoseconds: overflow ? (other > .zero ? .max : .min) : sum)
    }
    /// The difference, in the same way.
    func subtracting(_ other: Duration) -> Duration {
        let (difference, overflow) = attoseconds.subtractingReportingOverflow(other.attoseconds)
        return Duration(attoseconds: overflow ? (other > .zero ? .min : .max) : difference)
    }
}
