/// A loan of this thread's priority to the owner of a region, while this thread waits for that.
///
/// The owner runs at least at the quality of service of the waiting thread until the loan ends. So a background thread
/// that has the region is not kept from running by work of a middle class. The loan does not follow the region to a
/// third thread. See `PlatformThread` for the platforms.
struct PriorityLoan {
    private var loan: OpaquePointer?

    init(toOwnerOf vertex: Vertex) {
        guard PlatformThread.mayLend else { return }
        loan = Engine.with(vertex.region.owner) { $0.platformThread?.lend() }
    }
    func end() { if let loan { PlatformThread.endLoan(loan) } }
}
