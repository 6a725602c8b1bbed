/// How a closure that is not the engine's own says what it sends: by an object that is of use during its call alone, and once.
///
/// The value is left where the call keeps it, and sent when the closure has returned; so all of it is compiled into the edge's own
/// call, as if the closure had returned the value. A number, which no other call has, tells whether this one may still send:
/// `Propagation.sending` is that number until it has sent, or is over, and the next one from then on.
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
    /// Calls `body` with what it may send by, and sends that.
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
