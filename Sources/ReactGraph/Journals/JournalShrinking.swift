extension Journal {
    /// Returns the shortest journal found of which `fails` returns true. Safe from any thread.
    ///
    /// Leaves out steps as long as `fails` returns true for the rest: by halves, then one by one, also within batches.
    /// Then tries simpler values: 0, "", false, a shorter text or list. So it tries orders and values that the program
    /// never makes. A closure of the graph that traps on one ends the process, and the journals found so far are lost.
    /// Let `fails` write each journal to a file before it replays it: see <doc:FromABugReportToATest>.
    ///
    ///     let steps = (1...100).map { Journal.Step.clean(source: "cell \($0)") }
    ///     let short = Journal(steps: steps).shrunk { $0.steps.contains(steps[41]) }
    ///     print(short)        // cell 42 was emptied
    ///
    /// - Parameter fails: Called with each shorter journal. It makes a fresh graph, replays the journal, and returns
    ///   true if the mistake shows. An error that it throws for a simpler value means that the value does not do; any
    ///   other error ends the search.
    /// - Returns: A journal that fails, and of which no single step can be left out; if this journal does not fail,
    ///   this one.
    /// - Throws: The error of `fails`.
    /// - Complexity: O(n · log n) calls where few steps matter, at most O(n²).
    public func shrunk(while fails: (Journal) throws -> Bool) rethrows -> Journal {
        var best = self
        best.parts = nil
        func fail(_ steps: [Step]) throws -> Bool {
            var journal = best
            journal.steps = steps
            return try fails(journal)
        }
        guard try fail(steps) else { return self }
        while true {
            best.steps = try best.steps.leavingOut(while: fail)
            let simpler = best.steps.simplified { (try? fail($0)) ?? false }
            if simpler == best.steps { return best }
            best.steps = simpler
        }
    }
}

extension [Journal.Step] {
    /// Leaves out steps as long as `fails` returns true, until no single one can be left out.
    fileprivate func leavingOut(while fails: ([Journal.Step]) throws -> Bool) rethrows -> [Journal.Step] {
        var steps = self
        while true {
            steps = try steps.leavingOutRuns(while: fails)
            let before = steps
            for place in steps.indices {
                guard case .batch(let inner) = steps[place] else { continue }
                var others = steps
                let less = try inner.leavingOut { inner in
                    others[place] = .batch(inner)
                    return try fails(others)
                }
                others[place] = less.count == 1 ? less[0] : .batch(less)
                // A batch of one step is not always the same as that step, as a listener may tell the two apart.
                if less.count == 1, try !fails(others) { others[place] = .batch(less) }
                steps = others
            }
            if steps == before { return steps }
        }
    }
    /// Leaves out runs of steps: of half the length first, then of half of that, and at last one by one.
    private func leavingOutRuns(while fails: ([Journal.Step]) throws -> Bool) rethrows -> [Journal.Step] {
        var steps = self
        var length = Swift.max(1, count / 2)
        while !steps.isEmpty {
            var place = 0
            var isShorter = false
            while place < steps.count {
                var fewer = steps
                fewer.removeSubrange(place..<Swift.min(place + length, steps.count))
                if try fails(fewer) {
                    steps = fewer
                    isShorter = true
                } else {
                    place += length
                }
            }
            if length == 1, !isShorter { break }
            length = Swift.max(1, length / 2)
        }
        return steps
    }
    /// Puts simpler values in the place of others as long as `fails` returns true.
    fileprivate func simplified(while fails: ([Journal.Step]) -> Bool) -> [Journal.Step] {
        var steps = self
        for place in steps.indices {
            var tried = steps
            func failsWith(_ step: Journal.Step) -> Bool {
                tried[place] = step
                return fails(tried)
            }
            let step = steps[place]
            if let value = step.value {
                steps[place] = step.with(value.simplified { failsWith(step.with($0)) })
            } else if case .batch(let inner) = step {
                steps[place] = .batch(inner.simplified { failsWith(.batch($0)) })
            }
        }
        return steps
    }
}

extension JournalValue {
    /// Returns the simplest value found for which `fails` returns true.
    fileprivate func simplified(while fails: (JournalValue) -> Bool) -> JournalValue {
        var value = self
        while let simpler = value.simpler.first(where: fails) { value = simpler }
        guard case .list(var values) = value.content else { return value }
        for place in values.indices {
            values[place] = values[place].simplified { element in
                var tried = values
                tried[place] = element
                return fails(JournalValue(.list(tried)))
            }
        }
        return JournalValue(.list(values))
    }
    /// Simpler values of the same kind, the simplest first. None of them is `self`.
    private var simpler: [JournalValue] {
        let found: [Content] =
            switch content {
            case .boolean: [.boolean(false)]
            case .integer(let value): [.integer(0), .integer(value / 2), .integer(value - value.signum())]
            case .number, .digits: [.integer(0)]
            case .text(let value): value.shorter.map { .text(String($0)) }
            case .list(let values): values.shorter.map { .list(Array($0)) }
            case .null, .redacted, .dictionary: []
            }
        return found.filter { $0 != content }.map { JournalValue($0) }
    }
}

extension BidirectionalCollection {
    /// Nothing, both halves, and all but the last or the first element.
    fileprivate var shorter: [SubSequence] {
        isEmpty ? [] : [prefix(0), prefix(count / 2), dropFirst(count / 2), dropLast(), dropFirst()]
    }
}
