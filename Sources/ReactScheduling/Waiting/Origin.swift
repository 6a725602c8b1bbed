import ReactCore

/// What travels beside a value.
struct Origin {
    var senders = SenderList()
    var context: NodeContext?
    /// The connection of the operator's edge by which the value came. Once it has ended, the value goes nowhere.
    let connection: Connection
    /// True if a pulse has brought the value: then it goes on as a pulse.
    var isPulse = false
}
