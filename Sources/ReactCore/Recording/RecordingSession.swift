extension RecordingSession {
    /// Begins to record.
    package convenience init(
        capacity: Int, keepsValues: Bool, onThisThreadOnly: Bool = false, site: (@Sendable () -> (any Sendable)?)?,
        threadName: @escaping @Sendable () -> String
    ) {
        self.init(
            capacity: capacity, keepsValues: keepsValues, onThisThreadOnly: onThisThreadOnly, site: site,
            threadName: threadName, writer: DeliveryWriter())
    }
    /// Records a mark, and says where.
    package func mark(_ number: Int) -> (time: UInt64, thread: UInt64, position: UInt64) {
        let propagation = Propagation.current
        propagation.begin()
        defer { propagation.end() }
        let thread = propagation.thread
        let ring = ring(of: thread, after: propagation.formerThreads)
        let time = Recording.now
        guard let ring, let tape = propagation.tape, tape.records(to: ring) else { return (time, thread, .max) }
        tape.write(Record(.mark, target: UInt(number), aux: UInt(time)), to: ring)
        return (time, thread, ring.position - 1)
    }
}
