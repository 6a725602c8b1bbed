/// Returns when everything that was sent to the main actor before this call has been heard.
///
///     @MainActor final class Label: Listener {
///         let lifetime = Lifetime()
///         var text = ""
///         func show(_ degrees: Int) { text = "\(degrees)°" }
///     }
///     let temperature = MutableNode(20), label = Label()
///     label.listen(to: temperature).call(Label.show)
///     await Task.detached { temperature.value = 21 }.value
///     await mainActorDelivered()
///     print(label.text)           // 21°
///
/// The call covers values heard by `call` of a main-actor method, by `withOnMainActor`, and by `ObservedNode` and
/// `ObservedMutableNode`, and changes that `Node.observing` follows. It does not cover a value that another thread has
/// yet to set: await that thread's work first. Nor does it cover loops over `values`, and the work of dispatch queues.
///
/// **Order.** The main actor runs its work in the order in which it was sent, so one piece of work behind the others is
/// enough. A listener may send more work to the main actor by a task of its own. That work may come later.
///
/// - Complexity: One piece of work on the main actor.
@MainActor public func mainActorDelivered() async {
    await withCheckedContinuation { continuation in
        Task { @MainActor in continuation.resume() }
    }
}
