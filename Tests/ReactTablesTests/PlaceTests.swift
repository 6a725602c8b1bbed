import Foundation
import ReactTables
import TestSupport
import Testing

@Suite("Places that people arrange") struct PlaceTests {
    @Test("the first places rise, and a place is between any two, and before and after all")
    func between() {
        let places = Place.initial(70_000)
        #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
        for (lower, upper) in zip(places, places.dropFirst()).prefix(600) {
            let middle = Place.between(lower, upper)
            #expect(lower < middle && middle < upper)
        }
        #expect(Place.between(nil, places[0]) < places[0])
        #expect(places[69_999] < Place.between(places[69_999], nil))
        #expect(Place.initial(0) == [])
    }

    @Test("rows that are dragged at random stand where they were dropped, and their places stay short")
    func drags() {
        var random = SeededGenerator.announced()
        var model = Array(0..<200), places = Place.initial(200)
        for _ in 0..<Scale.heavy(100_000) {
            let row = model.remove(at: .random(in: model.indices, using: &random))
            let rank = Int.random(in: 0...model.count, using: &random)
            let (lower, upper) = (rank > 0 ? model[rank - 1] : nil, rank < model.count ? model[rank] : nil)
            let place = Place.between(lower.map { places[$0] }, upper.map { places[$0] })
            if let lower { #expect(places[lower] < place) }
            if let upper { #expect(place < places[upper]) }
            places[row] = place
            model.insert(row, at: rank)
        }
        #expect(model == model.indices.sorted { places[$0] < places[$1] })
    }

    @Test("rows at one place, one after another, take one bit more each, and rows at the end hardly any")
    func lengths() {
        let count = 10_000
        let (first, last) = (Place.initial(2)[0], Place.initial(2)[1])
        var (above, below, front, end) = (last, first, first, last)
        for _ in 0..<count {
            above = .between(first, above)
            below = .between(below, last)
            front = .between(nil, front)
            end = .between(end, nil)
        }
        #expect(first < above && below < last)
        #expect(above.description.count / 2 <= 2 + count / 8)
        #expect(below.description.count / 2 <= 2 + count / 8)
        #expect(front.description.count / 2 == 3 && end.description.count / 2 == 3)
        // The worst pattern: between the two newest, on alternating sides.
        var (lower, upper) = (first, last)
        for step in 0..<count {
            let place = Place.between(lower, upper)
            if step % 2 == 0 { lower = place } else { upper = place }
        }
        #expect(lower < upper && lower.description.count / 2 <= 2 + count / 8)
    }

    @Test("a place is written as a text that sorts as places do, and is read from it")
    func coding() throws {
        var random = SeededGenerator.announced(), places = Place.initial(300)
        for _ in 0..<500 {
            let rank = Int.random(in: 0..<places.count, using: &random)
            places.insert(.between(rank == 0 ? nil : places[rank - 1], places[rank]), at: rank)
        }
        #expect(places.map(\.description).sorted() == places.map(\.description))
        #expect(try JSONDecoder().decode([Place].self, from: JSONEncoder().encode(places)) == places)
    }
    @Test("a place between two equal ones is right behind both, and before the places that were behind them")
    func equal() {
        let (first, last) = (Place.initial(2)[0], Place.initial(2)[1])
        let middle = Place.between(first, last)
        for place in [first, middle, last] {
            let behind = Place.between(place, place)
            #expect(place < behind && (place == last || behind < last))
            #expect(Place.between(place, behind) < behind && Place.between(behind, behind) > behind)
        }
    }
    @Test(
        "a text that is no place is an error",
        arguments: ["", "8", "80", "81", "8100ff00", "8g00", "820001", "8 00", "8100FF"])
    func badText(_ text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Place].self, from: Data("[\"\(text)\"]".utf8))
        }
    }

    @Test("before the first integer and behind the last there are places, which are read from their texts")
    func extremes() throws {
        func read(_ text: String) throws -> Place {
            try JSONDecoder().decode(Place.self, from: Data("\"\(text)\"".utf8))
        }
        var (first, last) = (try read("7800000000000001"), try read("87ffffffffffffff"))
        #expect(first < last)
        for _ in 0..<20 {
            let (before, behind) = (Place.between(nil, first), Place.between(last, nil))
            #expect(before < first && last < behind)
            for place in [before, behind, .between(before, first), .between(last, behind), .between(before, nil)] {
                #expect(try read(place.description) == place)
            }
            (first, last) = (before, behind)
        }
        // Nothing stands before this one.
        #expect(throws: DecodingError.self) { try read("7800000000000000") }
    }

    #if os(macOS) || os(Linux)
    @Test(
        "there is no place between two in the wrong order, and the message names the call",
        .enabled(if: Scale.runsTraps))
    func traps() async {
        let wrong = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Place.between(Place.initial(2)[1], Place.initial(2)[0])
        }
        let text = String(decoding: wrong?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains("PlaceTests.swift") && text.contains("there is no place between 8101 and 8100."), "\(text)")
    }
    #endif
}
