/// `ticks`: something is sent at the end of each interval.
struct TicksPolicy: WaitingPolicy {
    let interval: Duration

    func began() -> WaitingEffects { WaitingEffects(timer: .repeats(interval)) }
    func timerFired() -> WaitingEffects { WaitingEffects(timer: .repeats(interval), makes: true) }
}
