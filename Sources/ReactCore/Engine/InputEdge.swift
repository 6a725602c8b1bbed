/// An edge from an input to a join. There is one class for joins that are made with all their inputs, and one for those
/// of a body.
protocol InputEdge: AnyEdge {
    /// See `KeptValue`.
    var kept: KeptValue? { get set }
    /// Returns the join, if `engine` is that of its maker, which has not connected all inputs yet.
    func joinBeingMade(by engine: Engine) -> Join?
    /// Lets go of the pulse's value that the input keeps: the join has fired, or will not fire for it. `after` has the
    /// value of the source after the pulse; it is `nil` if the source is empty then.
    func endPulse(leaving after: Vertex?)
}
