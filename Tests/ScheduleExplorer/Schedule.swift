/// Which thread runs when: where each one hands on to another.
///
/// Only what departs from the rule is said: a thread goes on for as long as it can, and is followed by the first one that
/// can. So a schedule survives the removal of one of its switches, and prints as a short line:
///
///     2>1 1.17>0      thread 1 begins; after its 17th step, thread 0 goes on
///
/// A thread's steps are counted from 1; `N>T` says that T begins, where N is the number of threads.
public struct Schedule: Hashable, Sendable, CustomStringConvertible {
    public struct Switch: Hashable, Sendable {
        let thread: Int
        let step: Int
        let next: Int
    }
    public var threads: Int
    public var switches: [Switch]

    public init(threads: Int, switches: [Switch] = []) {
        self.threads = threads
        self.switches = switches
    }
    /// The schedule that such a line says; `nil` where it says none.
    public init?(_ line: some StringProtocol) {
        switches = []
        threads = 0
        for word in line.split(separator: " ") {
            let halves = word.split(separator: ">")
            guard halves.count == 2, let next = Int(halves[1]) else { return nil }
            let place = halves[0].split(separator: ".")
            guard (1...2).contains(place.count), let thread = Int(place[0]) else { return nil }
            if place.count == 1 { threads = thread }
            guard let step = place.count == 1 ? 0 : Int(place[1]) else { return nil }
            switches.append(Switch(thread: thread, step: step, next: next))
        }
        guard threads > 0, switches.allSatisfy({ (0..<threads).contains($0.next) }) else { return nil }
    }
    public var description: String {
        let isBeginSaid = switches.first?.step == 0
        return
            ((isBeginSaid ? [] : ["\(threads)>0"])
            + switches.map { $0.step == 0 ? "\(threads)>\($0.next)" : "\($0.thread).\($0.step)>\($0.next)" })
            .joined(separator: " ")
    }
}
