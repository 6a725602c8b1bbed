import TestSupport
import Testing

@testable import ReactCore

/// Every state that a join can come to, by every order of its transitions: see `JoinWorld` for the promises that each
/// step has to keep.
@Suite("Every state of a join", .serialized) struct JoinStatesTests {
    /// All worlds that can be reached, breadth first, with the way to each.
    struct Worlds {
        var all: [JoinWorld] = []
        var places: [UInt64: Int32] = [:]
        var cameFrom: [(place: Int32, step: JoinWorld.Step?)] = []

        init(inputs: Int) throws {
            let steps = JoinWorld.allSteps(inputs: inputs)
            add(JoinWorld(inputs: inputs), from: -1, nil)
            var place = 0
            while place < all.count {
                for step in steps {
                    var next = all[place]
                    guard next.take(step) else { continue }
                    if let problem = next.problem { throw Broken(problem, steps: way(to: place) + [step], next.state) }
                    add(next, from: Int32(place), step)
                }
                place += 1
            }
        }
        private mutating func add(_ world: JoinWorld, from place: Int32, _ step: JoinWorld.Step?) {
            let key = world.key
            guard places[key] == nil else { return }
            places[key] = Int32(all.count)
            all.append(world)
            cameFrom.append((place, step))
        }
        func way(to place: Int) -> [JoinWorld.Step] {
            var steps: [JoinWorld.Step] = []
            var place = place
            while let step = cameFrom[place].step {
                steps.append(step)
                place = Int(cameFrom[place].place)
            }
            return steps.reversed()
        }
    }
    struct Broken: Error, CustomStringConvertible {
        let description: String
        init(_ problem: String, steps: [JoinWorld.Step], _ state: JoinState) {
            description = "\(problem)\nafter \(steps.map { "\($0)" }.joined(separator: ", "))\n\(state)"
        }
    }

    @Test(
        "a join keeps its promises in every state, and from every state fires the values that have arrived",
        arguments: 0...3)
    func everyState(inputs: Int) throws {
        let worlds = try Worlds(inputs: inputs)
        try checkSettling(worlds, JoinWorld.settling)
        print("\(inputs) inputs: \(worlds.all.count) states")
    }
    /// Where nothing new comes, every order of what is left to be done ends, and ends with nothing left.
    private func checkSettling(_ worlds: Worlds, _ steps: [JoinWorld.Step]) throws {
        // 0: not looked at; 1: on the way here; 2: ends well.
        var marks = [UInt8](repeating: 0, count: worlds.all.count)
        for start in worlds.all.indices where marks[start] == 0 && worlds.all[start].isMade {
            var stack = [(place: start, next: 0, isEnd: true)]
            marks[start] = 1
            while var top = stack.popLast() {
                if top.next == steps.count {
                    marks[top.place] = 2
                    if top.isEnd, !worlds.all[top.place].isAtRest {
                        throw Broken(
                            "nothing more can be done, and it is not at rest", steps: worlds.way(to: top.place),
                            worlds.all[top.place].state)
                    }
                    continue
                }
                let step = steps[top.next]
                top.next += 1
                var next = worlds.all[top.place]
                guard next.take(step) else {
                    stack.append(top)
                    continue
                }
                top.isEnd = false
                stack.append(top)
                let place = Int(try #require(worlds.places[next.key]))
                if marks[place] == 1 {
                    throw Broken("it goes round for ever", steps: worlds.way(to: top.place) + [step], next.state)
                }
                guard marks[place] == 0 else { continue }
                marks[place] = 1
                stack.append((place, 0, true))
            }
        }
    }
}
