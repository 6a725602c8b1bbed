import ReactCore

/// Runs `body` with a lifetime that ends when it returns, throws, or its task is cancelled.
///
///     let temperature = MutableNode(20)
///     await withLifetime { lifetime in
///         temperature.listened(by: lifetime).with { print("\($0)°") }     // 20°
///         await Task.yield()
///         temperature.value = 21                                          // 21°
///     }
///     temperature.value = 22
///
/// What is attached to the lifetime after the task was cancelled lasts until `body` returns. Nothing outlasts that, even
/// where `body` has kept the lifetime.
///
/// - Parameters:
///   - isolation: The actor on which `body` runs: the caller's, unless said otherwise.
///   - body: Called once, at once. It may use what is isolated to the caller's actor.
/// - Returns: What `body` returned.
public func withLifetime<R>(
    isolation: isolated (any Actor)? = #isolation, _ body: (Lifetime) async throws -> R
) async rethrows -> R {
    let lifetime = Lifetime()
    defer { lifetime.cancel() }
    return try await withTaskCancellationHandler(
        operation: { try await body(lifetime) },
        onCancel: { lifetime.cancel() },
        isolation: isolation)
}
