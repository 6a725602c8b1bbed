/// The comparison of a case: one of the two floors, or another way to do the same work. Its samples are taken in turn
/// with those of the case, so that both see the same machine.
struct Baseline: Sendable {
    let name: String
    /// True if a ratio to this baseline says as much of the machine as of the library: to a loop or closures in the
    /// library's place, to hops of the loop, to a small graph, which may fit into a cache, or to a single thread, which
    /// needs no second free processor.
    var dependsOnProcessor: Bool {
        ["loop", "closures", "continuation", "1 thread"].contains(name) || name.hasSuffix("hops")
            || name.hasPrefix("of ")
    }
    /// Takes all its samples before the case exists, because the case's leftovers in the heap would slow it down.
    var comesFirst = false
    /// Measures in the unit of the case.
    let prepare: @Sendable () -> Sample
}

extension Baseline {
    /// Nanoseconds per delivery to `count` closures called in turn.
    static func closures(_ count: Int) -> Baseline {
        Baseline(name: "closures") {
            let sum = Sum()
            let floor = ClosureFloor(count: count, addingTo: sum.pointer)
            let sets = repetitions(of: count)
            return timed(per: count * sets, sum, expecting: count * sets * (sets + 1) / 2) {
                for value in 1...sets { floor.set(value) }
            }
        }
    }

    /// Nanoseconds per hop of `width` loops over `length` stages.
    static func loop(_ length: Int = 100, width: Int = 1) -> Baseline {
        loops(length: length, width: width, sets: repetitions(of: length * width), in: .nanoseconds)
    }

    /// Microseconds for `sets` walks of a loop over `length` stages: the hops that an iteration of a case makes.
    static func iteration(of sets: Int, hops length: Int) -> Baseline {
        let iterations = repetitions(of: sets * length)
        return loops(length: length, width: 1, sets: sets * iterations, per: iterations, in: .microseconds)
    }

    private static func loops(
        length: Int,
        width: Int,
        sets: Int,
        per count: Int? = nil,
        in unit: TimeUnit
    ) -> Baseline {
        Baseline(name: "loop") {
            let sum = Sum()
            let floors = (0..<width).map { _ in LoopFloor(length: length, addingTo: sum.pointer) }
            let expected = width * (sets * (sets + 1) / 2 + sets * length)
            return timed(per: count ?? length * width * sets, in: unit, sum, expecting: expected) {
                for value in 1...sets {
                    for floor in floors { floor.set(value) }
                }
            }
        }
    }
}

/// The floors by themselves.
let floorCases =
    [1, 10, 1_000].map { count in
        Case(
            name: "floor",
            size: "closures \(count)",
            metric: .nanoseconds(per: "delivery"),
            prepare: Baseline.closures(count).prepare
        )
    }
    + [1, 10, 100, 1_000].map { length in
        Case(
            name: "floor",
            size: "loop \(length)",
            metric: .nanoseconds(per: "hop"),
            prepare: Baseline.loop(length).prepare
        )
    }
