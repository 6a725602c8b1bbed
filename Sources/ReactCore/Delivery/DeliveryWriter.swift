/// What the records below ask of the delivery.
struct DeliveryWriter: RecordWriter {
    var thread: UInt64 { Propagation.current.thread }
    func write(_ record: Record, _ deferred: inout Deferred) { Propagation.current.noteUnderLock(record, &deferred) }
    func recordingBegins() { Propagation.shutQuickWay() }
    func recordingEnds() { Propagation.openQuickWay() }
}
