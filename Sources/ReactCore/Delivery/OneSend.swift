/// A sender for a user's closure: the closure may send one value, and only during its call.
///
/// The value is left in `place`, and is sent when the closure has returned. So the whole call is compiled into the
/// edge, as if the closure had returned the value. Each call has a number of its own, and `Propagation.sending` is that
/// number until the call has sent or is over.
@usableFromInline package struct OneSend<Output: Sendable> {
    @usableFromInline let propagation: Unmanaged<Propagation>
    @usableFromInline let place: UnsafeMutablePointer<Output?>
    @usableFromInline let number: UInt64

    @inlinable init(_ propagation: Unmanaged<Propagation>, _ place: UnsafeMutablePointer<Output?>, number: UInt64) {
        self.propagation = propagation
        self.place = place
        self.number = number
    }
    @inlinable @inline(__always) package func callAsFunction(_ value: Output) {
        propagation._withUnsafeGuaranteedRef { propagation in
            guard propagation.sending == number else { refuseSend() }
            propagation.sending = number &+ 1
        }
        place.pointee = value
    }
}

extension Delivery {
    /// Calls `body` with a sender, and sends the value that it leaves there.
    @inlinable @inline(__always) package func sending(_ body: (OneSend<Output>) -> Void) -> Sent {
        var value: Output?
        let number = raw.propagation._withUnsafeGuaranteedRef { $0.sending }
        withUnsafeMutablePointer(to: &value) { body(OneSend(raw.propagation, $0, number: number)) }
        guard let value else {
            raw.propagation._withUnsafeGuaranteedRef { $0.sending = number &+ 1 }
            return .nothing
        }
        return send(value)
    }
}

@usableFromInline func refuseSend() -> Never {
    misuse("a transformed(_:) sent twice, or after its closure had returned: send once at most, inside the closure")
}
