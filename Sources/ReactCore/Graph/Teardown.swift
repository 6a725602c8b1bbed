/// Lets go of a chain of nodes in a loop: what would be `deinit` inside `deinit`, a thousand nodes deep, is a list.
///
/// An edge that goes hands over the node that it held, and what else it held that may hold nodes. The first on the thread to do so works until nothing is left.
struct Teardown {
    private var isUnderWay = false
    private var waiting: [AnyNode] = []
    private var holders: [AnyObject] = []

    static func release(_ node: consuming AnyNode) {
        let propagation = Propagation.current
        propagation.teardown.waiting.append(node)
        work(through: propagation)
    }
    static func release(holder: consuming AnyObject) {
        let propagation = Propagation.current
        propagation.teardown.holders.append(holder)
        work(through: propagation)
    }
    private static func work(through propagation: Propagation) {
        guard !propagation.teardown.isUnderWay else { return }
        propagation.teardown.isUnderWay = true
        while propagation.teardown.holders.popLast() != nil || propagation.teardown.waiting.popLast() != nil {}
        propagation.teardown.isUnderWay = false
    }
}
