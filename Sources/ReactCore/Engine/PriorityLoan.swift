#if canImport(Darwin)
import Darwin
#endif

/// A loan of this thread's priority to the owner of a turn, while this thread waits for that turn.
///
/// On Apple platforms, the owner runs at least at the quality of service of the waiting thread until the loan ends
/// (`pthread_override_qos_class_start_np` in `pthread/qos.h`). So a background thread that has the turn is not kept
/// from running by work of a middle class. The loan does not follow the turn to a third thread; a wait takes 10 ms at
/// most. Unproven: nobody has compiled or run this part yet. On other platforms, nothing is lent.
struct PriorityLoan {
    #if canImport(Darwin)
    private var loan: OpaquePointer?

    init(toOwnerOf vertex: Vertex) {
        let owner = vertex.locking { vertex.threadOfOwner }
        // A class that is not known, that of a thread with a fixed priority, is not lent.
        loan = Engine.withThread(owner) { pthread_override_qos_class_start_np($0, qos_class_self(), 0) }
    }
    func end() { if let loan { pthread_override_qos_class_end_np(loan) } }
    #else
    init(toOwnerOf vertex: Vertex) {}
    func end() {}
    #endif
}

#if canImport(Darwin)
extension Vertex {
    /// The number of the thread that has the turn; 0 if it is not known. The lock is held.
    fileprivate final var threadOfOwner: UInt64 {
        let bits = state.load(ordering: .relaxed) & ~Vertex.delivering(.max)
        if bits == Vertex.handedOn { return 0 }
        return bits == 0 ? Epoch.thread(of: lastEpoch) : UInt64(bits >> Vertex.ownerShift)
    }
}
#endif
