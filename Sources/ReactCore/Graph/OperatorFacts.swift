/// Facts that always hold of an operator. Its edge states them once, or its state does. The engine, recorders and
/// `lint` ask for them.
@usableFromInline package struct OperatorFacts: OptionSet, Sendable {
    @usableFromInline package let rawValue: UInt8
    @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The operator passes a pulse on as a pulse: after it, the target has the value from before. The operator's own
    /// memory stays.
    @inlinable package static var passesPulses: Self { Self(rawValue: 1) }
    /// The operator takes values, and passes them on later.
    @inlinable package static var passesLater: Self { Self(rawValue: 2) }
    /// The operator asks if values are on their way.
    @inlinable package static var asksForWaiting: Self { Self(rawValue: 4) }
    /// The operator may pass values on as they are, as parts of another value, such as an array.
    @inlinable package static var wraps: Self { Self(rawValue: 8) }
    /// The edge carries no values: it only tells that something has happened.
    @inlinable package static var bringsNoValues: Self { Self(rawValue: 16) }
    /// The operator points the edge at one node after another. Such an edge is in order even while it has no source.
    @inlinable package static var isPointedAbout: Self { Self(rawValue: 32) }
    /// The edge may be called before it is connected, so that a new node has a first value: see `AnyEdge.loadFirst`.
    @inlinable package static var loadsFirst: Self { Self(rawValue: 128) }
    /// See `AnyEdge.asksForSenders`.
    @inlinable package static var asksForSenders: Self { Self(rawValue: 64) }
}
