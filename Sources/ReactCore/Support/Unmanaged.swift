extension Unmanaged {
    @inline(__always) var address: UInt { UInt(bitPattern: toOpaque()) }
    /// The object, held, or `nil` if its `deinit` has begun. Precondition: its memory is still there.
    ///
    /// May be asked under a lock that the `deinit` takes: it lets go of no last hold. An unoptimised build takes and lets go
    /// of holds on the way; the first one here is there before them, and goes when the answer holds the object.
    package var whileAlive: Instance? {
        @inline(never) get {
            let first = retain()
            defer { first.release() }
            return _withUnsafeGuaranteedRef { object in
                weak let reference = object
                return reference
            }
        }
    }
}
