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
/// Listenings that are attached after the task was cancelled last until `body` returns. None lasts longer, even if
/// `body` has kept the lifetime.
///
/// - Parameters:
///   - isolation: The actor on which `body` runs. The default is the caller's actor.
///   - body: Called once, at once. It may use everything that is isolated to the caller's actor.
/// - Returns: The result of `body`.
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
