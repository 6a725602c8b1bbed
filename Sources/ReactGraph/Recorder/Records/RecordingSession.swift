import Foundation
import ReactCore
import Synchronization

/// Connects one flight recorder to the engine, and has a record buffer for each thread.
///
/// While nothing records, a transaction tests one flag when it begins (`Observers.isOn`). While something records, the
/// engine reports nodes and edges to `RecordingObserver`, and the work of each thread to a `ThreadRecorder`.
final class RecordingSession: Sendable {
    let capacity: Int
    let keepsValues: Bool
    /// True if nodes and edges remember the places in the program that make them.
    let showsSites: Bool
    /// The only thread that is recorded; `nil` if all are.
    let onlyThread: UInt64?
    private struct Buffers {
        var byThread: [UInt64: RecordBuffer] = [:]
        var hasStopped = false
    }
    private let buffers = Lock(Buffers())

    init(capacity: Int, keepsValues: Bool, showsSites: Bool, onThisThreadOnly: Bool) {
        onlyThread = onThisThreadOnly ? Engine.current.thread : nil
        (self.capacity, self.keepsValues, self.showsSites) = (capacity, keepsValues, showsSites)
        Recorders.begin(self)
    }
    private var threadName: String { Thread.isMainThread ? "main" : Thread.current.name ?? "" }
    /// Stops recording. The records stay.
    ///
    /// Another thread may be in the middle of a transaction. Its records from now on are not reported.
    func stop() {
        Recorders.stop(self)
        let known = buffers.withLock { buffers in
            defer { buffers.hasStopped = true }
            return buffers.hasStopped ? [] : Array(buffers.byThread.values)
        }
        for buffer in known { buffer.stop() }
    }
    /// Stops recording and releases the records.
    func end() {
        Recorders.stop(self)
        Recorders.end()
        let known = buffers.withLock { buffers in
            defer { buffers = Buffers(hasStopped: true) }
            return Array(buffers.byThread.values)
        }
        for buffer in known { buffer.end() }
    }

    /// Returns the record buffer of the calling thread, and makes it if needed. `thread` is the thread's number, which
    /// `formerThreads` threads had before it.
    func buffer(of thread: UInt64, after formerThreads: Int) -> RecordBuffer? {
        guard onlyThread == nil || onlyThread == thread else { return nil }
        return buffers.withLock { buffers in
            if let buffer = buffers.byThread[thread] {
                if buffer.formerThreads != formerThreads { buffer.begin(after: formerThreads, threadName: threadName) }
                return buffer
            }
            guard !buffers.hasStopped else { return nil }
            Recorders.noteThread(thread)
            let buffer = RecordBuffer(
                capacity: capacity, keepsValues: keepsValues, thread: thread, after: formerThreads,
                threadName: threadName)
            buffers.byThread[thread] = buffer
            return buffer
        }
    }
    /// Records a mark, and returns its moment.
    func mark(_ number: Int) -> GraphMoment {
        Engine.current.transaction { engine in
            let thread = engine.thread
            let buffer = buffer(of: thread, after: engine.formerThreads)
            let time = Recorders.now
            let recorder = engine.observer as? ThreadRecorder
            let position = recorder?.mark(number, in: buffer, at: time) ?? .max
            return GraphMoment(time: time, thread: thread, position: position)
        }
    }
    /// Reads the records, thread by thread, in the order of the threads' numbers.
    var reading: [ThreadReading] {
        let buffers = buffers.withLock { Array($0.byThread.values) }
        return buffers.map(\.reading).sorted { $0.number < $1.number }
    }
}
