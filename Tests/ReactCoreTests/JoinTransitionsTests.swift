import ReactCore
import Testing

/// What each transition of a join's state does, one by one: a table.
@Suite("Transitions of a join") struct JoinTransitionsTests {
    static var p: TransactionID { .number(0) }
    static var q: TransactionID { .number(1) }

    /// The states, each with how it comes about. They are of a join of one input, unless it is said otherwise.
    static var states: [(name: String, state: JoinState)] {
        [
            ("incomplete", made(full: false)),
            ("clean", made()),
            ("plain P", made { _ = $0.arrive(from: p, withContext: false) }),
            ("arrived P context", made { _ = $0.arrive(from: p, withContext: true) }),
            ("requested P", made { _ = $0.request(by: p) }),
            (
                "arrived P Q list",
                made {
                    _ = $0.arrive(from: p, withContext: false)
                    _ = $0.arrive(from: q, withContext: false)
                }
            ),
            ("firing P", firing()),
            ("firing P, and Q holds it", firing { _ = $0.wait(for: q) }),
            ("firing P, and something arrived", firing { _ = $0.arrive(from: p, withContext: false) }),
            (
                "requested P, incomplete",
                made {
                    _ = $0.arrive(from: p, withContext: false)
                    $0.loseInput(emptyingSlot: true)
                }
            ),
            ("arrived P, incomplete", incomplete()),
            ("arrived P, incomplete, waits", incomplete { _ = $0.endFiring(by: p, mayWait: true) }),
        ]
    }
    /// Of two inputs, one of which has a value.
    static func incomplete(_ change: (inout JoinState) -> Void = { _ in }) -> JoinState {
        var state = JoinState(inputs: 2, maker: q)
        state.fillSlot()
        _ = (state.link(), state.link(), state.endMaking())
        _ = state.arrive(from: p, withContext: false)
        change(&state)
        return state
    }
    static func made(full: Bool = true, _ change: (inout JoinState) -> Void = { _ in }) -> JoinState {
        var state = JoinState(inputs: 1, maker: p)
        if full { state.fillSlot() }
        _ = state.link()
        _ = state.endMaking()
        change(&state)
        return state
    }
    static func firing(_ change: (inout JoinState) -> Void = { _ in }) -> JoinState {
        made {
            _ = $0.arrive(from: p, withContext: false)
            _ = $0.beginFiring(isBusy: false)
            change(&$0)
        }
    }

    static func show(_ state: JoinState) -> String {
        let holders = ((state.holder.map { [$0] } ?? []) + state.moreHolders).map(TransactionID.name)
        let words =
            ["\(state.phase)"] + holders + (state.hasList ? ["list"] : []) + (state.hasContext ? ["context"] : [])
        return words.joined(separator: " ") + (state.missing > 0 ? ", \(state.missing) missing" : "")
            + (state.wait == .none ? "" : ", \(state.wait)") + (state.isKept ? ", kept" : "")
    }
    static func show(_ arrival: JoinState.Arrival) -> String {
        let place =
            switch arrival.place {
            case .none: "nowhere"
            case .arrivals: "arrivals"
            case .arrivalsAndContext: "arrivals and context"
            case .list(let isFirst, _): isFirst ? "new list" : "list"
            }
        return place + (arrival.isListed ? ", to be listed" : "")
    }
    static func show(_ replacement: JoinState.Replacement) -> String {
        (replacement.isNew ? "new" : "not new") + (replacement.needsList ? ", to a list" : "")
    }
    static func show(_ firing: JoinState.Firing) -> String {
        switch firing {
        case .isLeft: "leave"
        case .isNothing: "nothing"
        case .fires(let takesMore): takesMore ? "fire, with more" : "fire"
        }
    }
    static func show(_ end: JoinState.End) -> String {
        switch end {
        case .again: "again"
        case .listed: "listed"
        case .waits: "wait"
        case .over(let wasKept): "over" + (wasKept ? ", release" : "")
        case .forgotten(let wasKept): "forgotten" + (wasKept ? ", release" : "")
        case .left(let needsList): "left" + (needsList ? ", to a list" : "")
        }
    }
    static var transitions: [(name: String, take: (inout JoinState) -> String)] {
        [
            ("P arrives", { show($0.arrive(from: p, withContext: false)) }),
            ("Q arrives", { show($0.arrive(from: q, withContext: false)) }),
            ("P arrives with a context", { show($0.arrive(from: p, withContext: true)) }),
            (
                "P asks for it",
                { state in
                    let request = state.request(by: p)
                    return request.isNew ? "to be listed" : request.needsList ? "needs a list" : "–"
                }
            ),
            ("P comes to fire it", { show($0.beginFiring(isBusy: false)) }),
            ("P comes, and its vertex is busy", { show($0.beginFiring(isBusy: true)) }),
            ("P ends", { show($0.endFiring(by: p, mayWait: false)) }),
            ("P ends, and has more to fire", { show($0.endFiring(by: p, mayWait: true)) }),
            ("P has nothing more to fire", { $0.endWaiting(by: p) ? "to be listed" : "–" }),
            (
                "P gives up",
                { state in
                    let givenUp = state.restart(withContext: false)
                    return (givenUp.isKept ? "keep" : "–") + (givenUp.needsList ? ", to a list" : "")
                }
            ),
            ("P waits for Q", { show($0.wait(for: q)) }),
            ("Q in the place of P", { show($0.replace(p, by: q)) }),
            ("nobody in the place of Q", { show($0.replace(q, by: nil)) }),
            (
                "an input goes",
                { state in
                    state.loseInput(emptyingSlot: state.missing == 0)
                    return "–"
                }
            ),
            ("an edge is dropped", { $0.keep() ? "retain" : "–" }),
        ]
    }

    /// Whether the transition can be made at all from there.
    static func allows(_ transition: String, from state: (name: String, state: JoinState)) -> Bool {
        switch transition {
        case "P asks for it": state.state.missing == 0
        case "P gives up", "P waits for Q": state.name.hasPrefix("firing")
        case "nobody in the place of Q": state.state.isHeld(by: q)
        case "Q in the place of P", "P ends", "P ends, and has more to fire": state.state.isHeld(by: p)
        default: !transition.hasPrefix("P comes") || state.state.isHeld(by: p)
        }
    }

    @Test("each transition from each state that allows it", arguments: transitions.indices)
    func table(_ index: Int) {
        let transition = Self.transitions[index]
        let rows = Self.states.filter { Self.allows(transition.name, from: $0) }.map { name, state in
            var state = state
            let answer = transition.take(&state)
            return "\(name) → \(answer) → \(Self.show(state))"
        }
        let expected = Self.expected[transition.name] ?? []
        #expect(rows == expected, "\(transition.name)")
    }

    static let expected: [String: [String]] = [
        "P arrives": [
            "incomplete → arrivals, to be listed → arrived P, 1 missing",
            "clean → arrivals, to be listed → plain P",
            "plain P → arrivals → plain P",
            "arrived P context → arrivals and context → arrived P",
            "requested P → arrivals → plain P",
            "arrived P Q list → list → arrived P Q list",
            "firing P → arrivals, to be listed → plain P",
            "firing P, and Q holds it → new list, to be listed → arrived P Q list",
            "firing P, and something arrived → arrivals → plain P",
            "requested P, incomplete → arrivals → arrived P, 1 missing",
            "arrived P, incomplete → arrivals → arrived P, 1 missing",
            "arrived P, incomplete, waits → arrivals → arrived P, 1 missing, waits",
        ],
        "Q arrives": [
            "incomplete → arrivals, to be listed → arrived Q, 1 missing",
            "clean → arrivals, to be listed → plain Q",
            "plain P → list, to be listed → arrived P Q list",
            "arrived P context → list, to be listed → arrived P Q list",
            "requested P → new list, to be listed → arrived P Q list",
            "arrived P Q list → list → arrived P Q list",
            "firing P → new list, to be listed → arrived P Q list",
            "firing P, and Q holds it → new list → arrived P Q list",
            "firing P, and something arrived → list, to be listed → arrived P Q list",
            "requested P, incomplete → new list, to be listed → arrived P Q list, 1 missing",
            "arrived P, incomplete → list, to be listed → arrived P Q list, 1 missing",
            "arrived P, incomplete, waits → list, to be listed → arrived P Q list, 1 missing, waits",
        ],
        "P arrives with a context": [
            "incomplete → arrivals and context, to be listed → arrived P context, 1 missing",
            "clean → arrivals and context, to be listed → arrived P context",
            "plain P → arrivals and context → arrived P context",
            "arrived P context → arrivals and context → arrived P context",
            "requested P → arrivals and context → arrived P context",
            "arrived P Q list → list → arrived P Q list context",
            "firing P → arrivals and context, to be listed → arrived P context",
            "firing P, and Q holds it → new list, to be listed → arrived P Q list context",
            "firing P, and something arrived → arrivals and context → arrived P context",
            "requested P, incomplete → arrivals and context → arrived P context, 1 missing",
            "arrived P, incomplete → arrivals and context → arrived P context, 1 missing",
            "arrived P, incomplete, waits → arrivals and context → arrived P context, 1 missing, waits",
        ],
        "P asks for it": [
            "clean → to be listed → requested P",
            "plain P → – → arrived P",
            "arrived P context → – → arrived P context",
            "requested P → – → requested P",
            "arrived P Q list → – → arrived P Q list",
            "firing P → – → requested P",
            "firing P, and Q holds it → needs a list → requested P Q list",
            "firing P, and something arrived → – → arrived P",
        ],
        "P comes to fire it": [
            "plain P → fire → clean P",
            "arrived P context → fire, with more → clean P",
            "requested P → fire → clean P",
            "arrived P Q list → leave → arrived P Q list",
            "firing P → nothing → clean P",
            "firing P, and Q holds it → leave → clean P Q",
            "firing P, and something arrived → fire → clean P",
            "requested P, incomplete → nothing → requested P, 1 missing",
            "arrived P, incomplete → nothing → arrived P, 1 missing",
            "arrived P, incomplete, waits → nothing → arrived P, 1 missing, waits",
        ],
        "P comes, and its vertex is busy": [
            "plain P → leave → plain P",
            "arrived P context → leave → arrived P context",
            "requested P → leave → requested P",
            "arrived P Q list → leave → arrived P Q list",
            "firing P → leave → clean P",
            "firing P, and Q holds it → leave → clean P Q",
            "firing P, and something arrived → leave → plain P",
            "requested P, incomplete → leave → requested P, 1 missing",
            "arrived P, incomplete → leave → arrived P, 1 missing",
            "arrived P, incomplete, waits → leave → arrived P, 1 missing, waits",
        ],
        "P ends": [
            "plain P → again → plain P",
            "arrived P context → again → arrived P context",
            "requested P → again → requested P",
            "arrived P Q list → again → arrived P Q list",
            "firing P → over → clean",
            "firing P, and Q holds it → left → clean Q",
            "firing P, and something arrived → listed → plain P",
            "requested P, incomplete → forgotten → clean, 1 missing",
            "arrived P, incomplete → forgotten → clean, 1 missing",
            "arrived P, incomplete, waits → forgotten → clean, 1 missing",
        ],
        "P ends, and has more to fire": [
            "plain P → again → plain P",
            "arrived P context → again → arrived P context",
            "requested P → again → requested P",
            "arrived P Q list → again → arrived P Q list",
            "firing P → over → clean",
            "firing P, and Q holds it → left → clean Q",
            "firing P, and something arrived → listed → plain P",
            "requested P, incomplete → forgotten → clean, 1 missing",
            "arrived P, incomplete → wait → arrived P, 1 missing, waits",
            "arrived P, incomplete, waits → forgotten → clean, 1 missing",
        ],
        "P has nothing more to fire": [
            "incomplete → – → clean, 1 missing",
            "clean → – → clean",
            "plain P → – → plain P",
            "arrived P context → – → arrived P context",
            "requested P → – → requested P",
            "arrived P Q list → – → arrived P Q list",
            "firing P → – → clean P",
            "firing P, and Q holds it → – → clean P Q",
            "firing P, and something arrived → – → plain P",
            "requested P, incomplete → – → requested P, 1 missing",
            "arrived P, incomplete → – → arrived P, 1 missing",
            "arrived P, incomplete, waits → to be listed → arrived P, 1 missing, ends",
        ],
        "P gives up": [
            "firing P → keep → arrived P",
            "firing P, and Q holds it → keep, to a list → arrived P Q list",
            "firing P, and something arrived → – → plain P",
        ],
        "P waits for Q": [
            "firing P → new → clean P Q",
            "firing P, and Q holds it → not new → clean P Q",
            "firing P, and something arrived → new, to a list → arrived P Q list",
        ],
        "Q in the place of P": [
            "plain P → new, to a list → arrived Q list",
            "arrived P context → new, to a list → arrived Q list context",
            "requested P → new, to a list → requested Q list",
            "arrived P Q list → not new, to a list → arrived Q list",
            "firing P → new → clean Q",
            "firing P, and Q holds it → not new → clean Q",
            "firing P, and something arrived → new, to a list → arrived Q list",
            "requested P, incomplete → new, to a list → requested Q list, 1 missing",
            "arrived P, incomplete → new, to a list → arrived Q list, 1 missing",
            "arrived P, incomplete, waits → new, to a list → arrived Q list, 1 missing, waits",
        ],
        "nobody in the place of Q": [
            "arrived P Q list → not new → arrived P list",
            "firing P, and Q holds it → not new → clean P",
        ],
        "an input goes": [
            "incomplete → – → clean, 1 missing",
            "clean → – → clean, 1 missing",
            "plain P → – → requested P, 1 missing",
            "arrived P context → – → requested P context, 1 missing",
            "requested P → – → requested P, 1 missing",
            "arrived P Q list → – → requested P Q list, 1 missing",
            "firing P → – → clean P, 1 missing",
            "firing P, and Q holds it → – → clean P Q, 1 missing",
            "firing P, and something arrived → – → requested P, 1 missing",
            "requested P, incomplete → – → requested P, 1 missing",
            "arrived P, incomplete → – → requested P, 1 missing",
            "arrived P, incomplete, waits → – → requested P, 1 missing, waits",
        ],
        "an edge is dropped": [
            "incomplete → – → clean, 1 missing",
            "clean → – → clean",
            "plain P → retain → plain P, kept",
            "arrived P context → retain → arrived P context, kept",
            "requested P → retain → requested P, kept",
            "arrived P Q list → retain → arrived P Q list, kept",
            "firing P → retain → clean P, kept",
            "firing P, and Q holds it → retain → clean P Q, kept",
            "firing P, and something arrived → retain → plain P, kept",
            "requested P, incomplete → retain → requested P, 1 missing, kept",
            "arrived P, incomplete → retain → arrived P, 1 missing, kept",
            "arrived P, incomplete, waits → retain → arrived P, 1 missing, waits, kept",
        ],
    ]
}

extension JoinTransitionsTests {
    @Test("a join that is left again and again is told of it, and of no more after it has fired")
    func leftAgainAndAgain() {
        var state = Self.made { _ = $0.arrive(from: Self.p, withContext: false) }
        let answers = (0..<300).map { _ in state.noteLeft() }
        #expect(answers.firstIndex(of: true) == 32 && !answers[32...].contains(false))
        _ = state.beginFiring(isBusy: false)
        let afterFiring = state.noteLeft()
        #expect(!afterFiring)
    }
}
