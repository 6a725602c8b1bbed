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
