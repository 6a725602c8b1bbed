// What belongs to one linking of an edge, for those who keep values and send them later.

extension AnyEdge {
    /// The linking by which the value came with which `next` is called. To be asked in `next`, before anything else there
    /// can send a value.
    package final var linkingOfCall: Linking { Linking(number: Propagation.current.call.number) }
}

extension AnyListenEdge {
    /// Whether what came by `linking` may be heard: the edge is linked so still, and somebody is there, which is asked where nothing tells
    /// when the listener goes, and cuts the edge. So a listener that does tell is never held, not even for a moment.
    package final func mayHear(whatCameBy linking: Linking) -> Bool {
        let word = link.load(ordering: .acquiring)
        return LinkWord.isCurrent(word, linking.number) && (word & LinkWord.asks == 0 || currentDestination != nil)
    }
}

extension Transform {
    /// The same as `send(_:from:context:)`, for a value that came by `linking`: sends nothing where that has ended.
    ///
    /// Whatever ends it afterwards either waits for the value to be stored in `to`, or keeps it out.
    package final func send(_ value: Output, from senders: SenderList, context: NodeContext?, by linking: Linking) {
        send(from: senders, context: context, by: linking) { $0.send(value) }
    }
    /// Changes `to` in the same way when its turn comes, as `make` says then: see `Delivery.change`.
    package final func change(
        from senders: SenderList, context: NodeContext?, by linking: Linking, _ make: @escaping () -> Output??
    ) {
        send(from: senders, context: context, by: linking) { $0.change(make) }
    }
}
