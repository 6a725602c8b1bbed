/// Returns its argument, by a call that the optimiser cannot look into, as it cannot look into a user's closure.
///
/// The cases' closures are literals at the call site, as users write them, and each makes one such call, as the
/// loop makes one to a closure of its own.
@inline(never) @_optimize(none)
func hidden(_ value: Int) -> Int { value }
