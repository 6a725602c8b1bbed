/// The value of each interval that `sample` passes on.
public enum SampleChoice: Sendable {
    /// The first value. Values that come within the interval after it are dropped, such as the second tap of a double
    /// tap.
    case first
    /// The newest value. Values that come within the interval are held back, and the last one is passed on when the
    /// interval is over.
    case newest
}
