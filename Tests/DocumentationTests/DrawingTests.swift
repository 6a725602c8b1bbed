import ReactCore
import ReactTesting
import Testing

@Suite("The drawings of the guides")
struct DrawingTests {
    @Test("each operator behaves as its drawing in the guides shows", arguments: Drawing.all)
    func play(_ drawing: Drawing) throws {
        var ties: CancelableBag?
        defer { withExtendedLifetime(ties) {} }
        try expectTimeline(drawing.diagram) { timeline in
            let stage = Stage(timeline: timeline)
            ties = stage.ties
            for row in drawing.rows {
                if let build = drawnOperators[row.label] { timeline.observe(row.name, build(stage)) }
            }
        }
    }

    @Test("every operator of the library is drawn in the guides", arguments: Drawing.declaredOperators.sorted())
    func isDrawn(_ name: String) {
        let words = Set(drawnLabels.flatMap { $0.matches(of: /\w+/).map { String($0.output) } })
        let isDrawn = words.contains(name)
        #expect(isDrawn, "draw \(name) in a guide, and tell in drawnOperators what its label means")
    }

    @Test("every label that is told in code is drawn in the guides", arguments: drawnOperators.keys.sorted())
    func isUsed(_ label: String) {
        let isUsed = drawnLabels.contains(label)
        #expect(isUsed, "no drawing in the guides has a row labelled \(label)")
    }

    @Test("the operators are found in the sources")
    func findsOperators() {
        #expect(Drawing.declaredOperators.isSuperset(of: ["map", "combine", "switch", "sync", "throttle"]))
        #expect(Drawing.declaredOperators.isDisjoint(with: ["schedule", "advance", "throttleOnMainQueue"]))
    }

    private let drawnLabels = Set(Drawing.all.flatMap { $0.rows.map(\.label) }).intersection(drawnOperators.keys)
}
