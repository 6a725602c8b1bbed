import Testing

@testable import ReactCore

/// What each transition of a join's state does, one by one: a table.
@Suite("Transitions of a join") struct JoinTransitionsTests {
    /// The states, each with how it comes about. They are of a join of one input, unless it is said otherwise.
    static var states: [(name: String, state: JoinState)] {
        [
            ("unmade", JoinState(inputs: 1)),
            ("incomplete", made(full: false)),
            ("clean", made()),
            ("arrived", made { _ = $0.arrive() }),
            ("required", made { _ = $0.requireFiring() }),
            ("firing", firing()),
            ("firing, and something arrived", firing { _ = $0.arrive() }),
            (
                "required, incomplete",
                made {
                    _ = $0.arrive()
                    $0.loseInput(emptying: true)
                }
            ),
            ("arrived, incomplete", incomplete()),
            ("arrived, incomplete, waits", incomplete { _ = $0.endFiring(mayWait: true) }),
        ]
    }
    /// Of two inputs, one of which has a value.
    static func incomplete(_ change: (inout JoinState) -> Void = { _ in }) -> JoinState {
        var state = JoinState(inputs: 2)
        state.fillInput()
        _ = state.endMaking()
        _ = state.arrive()
        change(&state)
        return state
    }
    static func made(full: Bool = true, _ change: (inout JoinState) -> Void = { _ in }) -> JoinState {
        var state = JoinState(inputs: 1)
        if full { state.fillInput() }
        _ = state.endMaking()
        change(&state)
        return state
    }
    static func firing(_ change: (inout JoinState) -> Void = { _ in }) -> JoinState {
        made {
            _ = $0.arrive()
            _ = $0.beginFiring()
            change(&$0)
        }
    }

    static func show(_ state: JoinState) -> String {
        "\(state.phase), \(state.place)" + (state.missing > 0 ? ", \(state.missing) missing" : "")
            + (state.retainsItself ? ", kept" : "")
    }
    static func show(_ outcome: JoinState.Outcome) -> String {
        switch outcome {
        case .again: "again"
        case .listed: "listed"
        case .waits: "wait"
        case .over(let hadRetainedItself): "over" + (hadRetainedItself ? ", release" : "")
        case .forgotten(let hadRetainedItself): "forgotten" + (hadRetainedItself ? ", release" : "")
        }
    }
    static var transitions: [(name: String, take: (inout JoinState) -> String)] {
        [
            ("a value arrives", { "\($0.arrive())" }),
            ("a firing is asked for", { $0.requireFiring() ? "list" : "–" }),
            ("it is to be fired", { $0.beginFiring() ? "fire" : "nothing" }),
            ("it was fired", { show($0.endFiring(mayWait: false)) }),
            ("it was fired, and there is more to fire", { show($0.endFiring(mayWait: true)) }),
            ("there is nothing more to fire", { $0.endWaiting() ? "list" : "–" }),
            ("the firing is given up", { $0.restart() ? "keep" : "–" }),
            (
                "an input goes",
                { state in
                    state.loseInput(emptying: state.missing == 0)
                    return "–"
                }
            ),
            (
                "an input is emptied",
                { state in
                    if state.missing == 0 { state.emptyInput() }
                    return "–"
                }
            ),
            ("an edge is dropped", { $0.retainItself() ? "retain" : "–" }),
        ]
    }

    /// Whether the transition can be made at all from there.
    static func allows(_ transition: String, from state: JoinState) -> Bool {
        switch transition {
        case "a firing is asked for": state.missing == 0
        case "it is to be fired": state.place == .listed
        case "the firing is given up": state.isFiring
        case "it was fired", "it was fired, and there is more to fire": state.isFiring || state.place == .listed
        default: true
        }
    }

    @Test("each transition from each state that allows it", arguments: transitions.indices)
    func table(_ index: Int) {
        let transition = Self.transitions[index]
        let rows = Self.states.filter { Self.allows(transition.name, from: $0.state) }.map { name, state in
            var state = state
            let answer = transition.take(&state)
            return "\(name) → \(answer) → \(Self.show(state))"
        }
        #expect(rows == Self.expected[transition.name] ?? [], "\(transition.name)")
    }

    static let expected: [String: [String]] = [
        "a value arrives": [
            "unmade → isOfFirst → clean, nowhere, 2 missing",
            "incomplete → isListed → arrived, listed, 1 missing",
            "clean → isListed → arrived, listed",
            "arrived → isNoted → arrived, listed",
            "required → isNoted → arrived, listed",
            "firing → isListed → arrived, firingAndListed",
            "firing, and something arrived → isNoted → arrived, firingAndListed",
            "required, incomplete → isNoted → arrived, listed, 1 missing",
            "arrived, incomplete → isNoted → arrived, listed, 1 missing",
            "arrived, incomplete, waits → isNoted → arrived, waits, 1 missing",
        ],
        "a firing is asked for": [
            "clean → list → required, listed",
            "arrived → – → arrived, listed",
            "required → – → required, listed",
            "firing → – → required, firing",
            "firing, and something arrived → – → arrived, firingAndListed",
        ],
        "it is to be fired": [
            "arrived → fire → clean, firing",
            "required → fire → clean, firing",
            "required, incomplete → nothing → required, listed, 1 missing",
            "arrived, incomplete → nothing → arrived, listed, 1 missing",
        ],
        "it was fired": [
            "arrived → again → arrived, listed",
            "required → again → required, listed",
            "firing → over → clean, nowhere",
            "firing, and something arrived → listed → arrived, listed",
            "required, incomplete → forgotten → clean, nowhere, 1 missing",
            "arrived, incomplete → forgotten → clean, nowhere, 1 missing",
        ],
        "it was fired, and there is more to fire": [
            "arrived → again → arrived, listed",
            "required → again → required, listed",
            "firing → over → clean, nowhere",
            "firing, and something arrived → listed → arrived, listed",
            "required, incomplete → forgotten → clean, nowhere, 1 missing",
            "arrived, incomplete → wait → arrived, waits, 1 missing",
        ],
        "there is nothing more to fire": [
            "unmade → – → clean, nowhere, 2 missing",
            "incomplete → – → clean, nowhere, 1 missing",
            "clean → – → clean, nowhere",
            "arrived → – → arrived, listed",
            "required → – → required, listed",
            "firing → – → clean, firing",
            "firing, and something arrived → – → arrived, firingAndListed",
            "required, incomplete → – → required, listed, 1 missing",
            "arrived, incomplete → – → arrived, listed, 1 missing",
            "arrived, incomplete, waits → list → arrived, listedLast, 1 missing",
        ],
        "the firing is given up": [
            "firing → keep → arrived, firing",
            "firing, and something arrived → – → arrived, firingAndListed",
        ],
        "an input goes": [
            "unmade → – → clean, nowhere, 2 missing",
            "incomplete → – → clean, nowhere, 1 missing",
            "clean → – → clean, nowhere, 1 missing",
            "arrived → – → required, listed, 1 missing",
            "required → – → required, listed, 1 missing",
            "firing → – → clean, firing, 1 missing",
            "firing, and something arrived → – → required, firingAndListed, 1 missing",
            "required, incomplete → – → required, listed, 1 missing",
            "arrived, incomplete → – → required, listed, 1 missing",
            "arrived, incomplete, waits → – → required, waits, 1 missing",
        ],
        "an input is emptied": [
            "unmade → – → clean, nowhere, 2 missing",
            "incomplete → – → clean, nowhere, 1 missing",
            "clean → – → clean, nowhere, 1 missing",
            "arrived → – → arrived, listed, 1 missing",
            "required → – → required, listed, 1 missing",
            "firing → – → clean, firing, 1 missing",
            "firing, and something arrived → – → arrived, firingAndListed, 1 missing",
            "required, incomplete → – → required, listed, 1 missing",
            "arrived, incomplete → – → arrived, listed, 1 missing",
            "arrived, incomplete, waits → – → arrived, waits, 1 missing",
        ],
        "an edge is dropped": [
            "unmade → – → clean, nowhere, 2 missing",
            "incomplete → – → clean, nowhere, 1 missing",
            "clean → – → clean, nowhere",
            "arrived → retain → arrived, listed, kept",
            "required → retain → required, listed, kept",
            "firing → retain → clean, firing, kept",
            "firing, and something arrived → retain → arrived, firingAndListed, kept",
            "required, incomplete → retain → required, listed, 1 missing, kept",
            "arrived, incomplete → retain → arrived, listed, 1 missing, kept",
            "arrived, incomplete, waits → retain → arrived, waits, 1 missing, kept",
        ],
    ]
}
