import ReactCore

// Names that have been replaced by clearer ones. They go in the next major version.

extension GraphRecorder {
    /// The old name of `costliest(_:since:)`.
    @available(*, deprecated, renamed: "costliest(_:since:)")
    public func hottest(_ count: Int = 10, since moment: GraphMoment? = nil) -> [GraphCost] {
        costliest(count, since: moment)
    }
    /// The old name of `redundantUpdates(_:since:)`.
    @available(*, deprecated, renamed: "redundantUpdates(_:since:)")
    public func wasted(_ count: Int = 10, since moment: GraphMoment? = nil) -> [GraphCost] {
        redundantUpdates(count, since: moment)
    }
    /// The old name of `liveObjects(since:)`.
    @available(*, deprecated, renamed: "liveObjects(since:)")
    public func living(since moment: GraphMoment) -> [GraphResident] { liveObjects(since: moment) }
}
extension Recording {
    /// The old name of `costliest(_:since:)`.
    @available(*, deprecated, renamed: "costliest(_:since:)")
    public func hottest(_ count: Int = 10, since moment: GraphMoment? = nil) -> [GraphCost] {
        costliest(count, since: moment)
    }
    /// The old name of `redundantUpdates(_:since:)`.
    @available(*, deprecated, renamed: "redundantUpdates(_:since:)")
    public func wasted(_ count: Int = 10, since moment: GraphMoment? = nil) -> [GraphCost] {
        redundantUpdates(count, since: moment)
    }
    /// The old name of `liveObjects(since:)`.
    @available(*, deprecated, renamed: "liveObjects(since:)")
    public func living(since moment: GraphMoment) -> [GraphResident] { liveObjects(since: moment) }
}
