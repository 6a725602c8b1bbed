/// `timeout`: something is sent when no value has passed for an interval.
struct TimeoutPolicy: WaitingPolicy {
    let interval: Duration

    func began() -> WaitingEffects { WaitingEffects(timer: .starts(interval)) }
    func timerFired() -> WaitingEffects { WaitingEffects(makes: true) }
}
