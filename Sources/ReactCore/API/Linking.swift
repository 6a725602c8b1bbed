import Synchronization

/// One linking of an edge: from the moment at which it has two ends until either changes.
///
/// What an operator keeps to send it later belongs to the linking by which it came. The operator compares: so no callback
/// has to reset it in time, and none can come too late.
package struct Linking: Equatable, Sendable {
    fileprivate let number: UInt64

    /// That of an edge that is not linked.
    package static let none = Linking(number: 0)
}

extension AnyEdge {
    /// The linking that the edge has now.
    package final var linking: Linking { Linking(number: currentLink & ~Link.marks) }
    /// The linking by which the value came with which `next` is called. To be asked in `next`, before anything else there
    /// can send a value.
    package final var linkingOfCall: Linking { Linking(number: Propagation.current.call.link & ~Link.marks) }
}

extension Transform {
    /// The same as `send(_:from:context:)`, for a value that came by `linking`: sends nothing where that has ended.
    ///
    /// Whatever ends it afterwards either waits for the value to be stored in `to`, or keeps it out.
    package final func send(_ value: Output, from senders: SenderList, context: NodeContext?, by linking: Linking) {
        send(from: senders, context: context, if: { $0 & ~Link.marks == linking.number }) { $0.send(value) }
    }
    /// Changes `to` in the same way when its turn comes, as `make` says then: see `Delivery.change`.
    package final func change(
        from senders: SenderList, context: NodeContext?, by linking: Linking, _ make: @escaping () -> Output??
    ) {
        send(from: senders, context: context, if: { $0 & ~Link.marks == linking.number }) { $0.change(make) }
    }
}
