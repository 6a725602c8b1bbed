/// Returns when everything that was sent to the main actor before this call has been heard.
///
///     @MainActor final class Label: Listener {
///         nonisolated let lifetime = Lifetime()
///         var text = ""
///         func show(_ degrees: Int) { text = "\(degrees)°" }
///     }
///     let temperature = MutableNode(20), label = Label()
///     label.listen(to: temperature).call(Label.show)
///     await Task.detached { temperature.value = 21 }.value
///     await mainActorDelivered()
///     print(label.text)           // 21°
///
/// It covers `call` of a main-actor method, `withOnMainActor`, `ObservedNode`, `ObservedMutableNode` and `Node.observing`: they
/// send each value to the main actor when it is set, or when something observable changes. What another thread has yet to set is
/// not covered: await that thread's work first. Neither are loops over `values`, nor what a dispatch queue has yet to do.
///
/// **Order.** The main actor runs its work in the order in which it came, so one piece of work behind the others is enough. What
/// that work sends to the main actor in turn, by a task of its own, may come later.
///
/// - Complexity: One piece of work on the main actor.
@MainActor public func mainActorDelivered() async {
    await withCheckedContinuation { continuation in
        Task { @MainActor in continuation.resume() }
    }
}
