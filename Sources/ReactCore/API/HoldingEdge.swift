/// An edge that holds values until later.
package protocol HoldingEdge: AnyTransform {
    /// What it holds now; the user's own code describes it, so no lock is held.
    var held: HeldValues? { get }
}
/// An edge that passes values on as a part of something else, such as an array.
package protocol WrappingEdge: AnyTransform {}
/// What an edge holds until later.
package struct HeldValues {
    /// The oldest, as text.
    package let first: String
    package let count: Int
    /// How long it still is until the first may go, where that is known.
    package let rest: Duration?

    package init(first: String, count: Int = 1, rest: Duration? = nil) {
        (self.first, self.count, self.rest) = (first, count, rest)
    }
}
