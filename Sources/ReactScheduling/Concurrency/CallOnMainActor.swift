import ReactCore

extension ListenContext where L: Sendable {
    /// Calls a method of the main actor with each value. Unlike `call`, takes no other method.
    ///
    ///     @MainActor final class Thermometer: Listener {
    ///         let lifetime = Lifetime()
    ///         func show(_ degrees: Int) { print("\(degrees)°") }
    ///     }
    ///     let thermometer = Thermometer(), temperature = MutableNode(20)
    ///     thermometer.listen(to: temperature).callOnMainActor(Thermometer.show)       // 20°
    ///     temperature.value = 21                                                      // 21°
    ///
    /// If the value is set on the main actor, the method is called at once. Otherwise it is called as soon as the main
    /// actor is free, in order. The listener is not held.
    ///
    /// - Parameter method: A method of the listener's type, as in `View.show`.
    /// - Returns: An object that ends the listening. You may drop it.
    @discardableResult
    public func callOnMainActor(_ method: @escaping @Sendable (L) -> @MainActor (Value) -> Void) -> any Cancelable {
        call(method)
    }
    /// Calls a method of the listener that does not take the value, on the main actor.
    @discardableResult
    public func callOnMainActor(_ method: @escaping @Sendable (L) -> @MainActor () -> Void) -> any Cancelable {
        call(method)
    }
}
