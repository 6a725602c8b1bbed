/// How a closure that is not the engine's own sends: by an object that is of use during its call alone, and once.
///
/// The edge's call answers what was sent (see `Sent`); so that is left with the propagation, from where `Delivery.sending`
/// takes it when the closure has returned. A number, which no other call has, tells that the call is still under way.
@usableFromInline package struct OneSend<Output: Sendable> {
    @usableFromInline let caller: Unmanaged<AnyObject>
    @usableFromInline let edge: Unmanaged<AnyEdge>
    @usableFromInline let target: Unmanaged<Vertex>?
    @usableFromInline let number: UInt64

    @inlinable init(_ raw: RawDelivery, number: UInt64) {
        caller = raw.caller
        edge = raw.edge
        target = raw.target
        self.number = number
    }
    @inlinable @inline(__always) package func callAsFunction(_ value: Output) {
        Unmanaged<Propagation>.fromOpaque(caller.toOpaque())._withUnsafeGuaranteedRef { propagation in
            guard propagation.sending.number == number else { refuseSend() }
            propagation.sending.number = 0
            // A send does not ask what the source is.
            let raw = RawDelivery(caller: caller, edge: edge, source: target.unsafelyUnwrapped, target: target)
            propagation.sending.sent = Delivery<Never, Output>(raw).send(value)
        }
    }
}

extension Propagation {
    /// The closure that may send now, and what it has sent.
    @usableFromInline struct Sending {
        /// 0 where there is none, or it has sent.
        @usableFromInline var number: UInt64 = 0
        @usableFromInline var sent = Sent.nothing

        @inlinable init(number: UInt64 = 0) { self.number = number }
    }
}

extension Delivery {
    /// Calls `body` with what it may send by, and answers what was sent.
    @inlinable @inline(__always) package func sending(_ body: (OneSend<Output>) -> Void) -> Sent {
        raw.propagation._withUnsafeGuaranteedRef { propagation in
            let outer = propagation.sending
            let number = propagation.sendings &+ 1
            propagation.sendings = number
            propagation.sending = Propagation.Sending(number: number)
            body(OneSend(raw, number: number))
            let sent = propagation.sending.sent
            propagation.sending = outer
            return sent
        }
    }
}

@usableFromInline func refuseSend() -> Never {
    misuse("a transformed(_:) sent twice, or after its closure had returned: send once at most, inside the closure")
}
