import Testing

@testable import ReactCore

/// What one thread writes with every value shares no cache line with what another writes.
@Suite("Cache lines of their own") struct OwnLinesTests {
    @Test("places of any size begin and end with a line", arguments: [1, 7, 8, 64, 1_000])
    func places(capacity: Int) {
        let places = (0..<20).map { _ in UnsafeMutablePointer<(Int, Int)>.allocateOwnCacheLines(capacity: capacity) }
        let lines = places.map { place in
            let first = UInt(bitPattern: place), end = UInt(bitPattern: place + capacity)
            return Set(first / 128...(end - 1) / 128)
        }
        #expect(Set(lines.joined()).count == lines.map(\.count).reduce(0, +))
        #expect(places.allSatisfy { UInt(bitPattern: $0) % 128 == 0 })
        for place in places { place.deallocate() }
    }

    @Test("a place that is moved keeps its content")
    func moved() {
        let place = UnsafeMutablePointer<String>.allocateOwnCacheLines(capacity: 2)
        (place + 0).initialize(to: "first, and long enough for the heap")
        (place + 1).initialize(to: "second")
        let larger = place.moved(2, toOwnCacheLinesFor: 4)
        #expect(larger[0] == "first, and long enough for the heap" && larger[1] == "second")
        #expect(UInt(bitPattern: larger) % 128 == 0)
        larger.deinitialize(count: 2)
        larger.deallocate()
    }
}
