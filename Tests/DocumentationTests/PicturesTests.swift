import Foundation
import Testing

@Suite("The documentation's pictures")
struct PicturesTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test("every shape and every text of the benchmark's picture has its colours as plain attributes")
    func plainAttributes() throws {
        let file = Self.root.appendingPathComponent("Documentation/benchmark.svg")
        let picture = try String(contentsOf: file, encoding: .utf8)
        #expect(!picture.contains("var("))
        let shapes = picture.split(separator: "<").filter { shape in
            ["rect ", "text ", "tspan ", "circle ", "line "].contains { shape.hasPrefix($0) }
        }
        #expect(shapes.count > 100)
        for shape in shapes {
            #expect(shape.contains(shape.hasPrefix("line ") ? " stroke=\"#" : " fill=\"#"), "\(shape)")
        }
    }
}
