/// The trail of a value before its pass began, as the index of its newest entry, and the value's beginning (see
/// `Epoch`): an epoch before the first of the entries.
struct TrailPosition {
    var since: UInt64
    var entry: Trail.Index
    static let none = TrailPosition(entry: noSenders, since: .max)
    /// The entry of a value that has passed nothing before its pass, and of one whose join has not noted the way.
    static let noSenders: Trail.Index = -1, notNoted: Trail.Index = -2

    init(entry: Trail.Index, since: UInt64) { (self.entry, self.since) = (entry, since) }
}
