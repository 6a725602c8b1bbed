/// A value whose end runs `body`: user code that the library sets off by letting go.
public final class Farewell: Sendable {
    private let body: @Sendable () -> Void

    public init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    deinit { body() }
}
