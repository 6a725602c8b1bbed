// Closures that the optimiser cannot look into, as it cannot look into a user's: the case and the floor each pay for a
// call. Not generic, because a closure that passes through a generic function comes back with a thunk around it.

@inline(never) @_optimize(none)
func opaque(_ body: @escaping @Sendable (Int) -> Int) -> @Sendable (Int) -> Int { body }

@inline(never) @_optimize(none)
func opaque(_ body: @escaping @Sendable (Int, Int) -> Int) -> @Sendable (Int, Int) -> Int { body }

@inline(never) @_optimize(none)
func opaque(_ body: @escaping @Sendable ([Int]) -> Int) -> @Sendable ([Int]) -> Int { body }

@inline(never) @_optimize(none)
func opaque(_ body: @escaping @Sendable (Int) -> Bool) -> @Sendable (Int) -> Bool { body }

@inline(never) @_optimize(none)
func opaque(_ body: @escaping @Sendable (Int) -> Void) -> @Sendable (Int) -> Void { body }

@inline(never) @_optimize(none)
func opaque(_ body: @escaping @Sendable ((Int, Int)) -> Void) -> @Sendable ((Int, Int)) -> Void { body }

/// `opaqueIncrement` of the floors, for closures that may cross threads.
@inline(never) @_optimize(none)
func opaqueStep() -> @Sendable (Int) -> Int { { $0 &+ 1 } }
