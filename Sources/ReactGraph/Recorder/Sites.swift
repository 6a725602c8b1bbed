import Foundation
import ReactCore

// Swift's own module tells where calls come from, on the platforms that have it.
#if canImport(Runtime) && os(Linux)
import Runtime
#endif

/// The place in a program that made a node or an edge: noted as return addresses, and looked up when it is asked for.
struct Site: Sendable {
    #if canImport(Runtime) && os(Linux)
    private let backtrace: Backtrace
    private static let images = ImageMap.capture()
    private static let known = Lock<[String: String?]>([:])

    /// The place that calls the library now.
    static func current() -> Site? {
        (try? Backtrace.capture(algorithm: .fast, limit: 24, top: 0, images: images)).map { Site(backtrace: $0) }
    }
    /// The file and line, such as `Shop.swift:31`; `nil` where the program does not tell.
    var description: String? {
        let key = backtrace.frames.map { "\($0.adjustedProgramCounter)" }.joined(separator: " ")
        if let known = Site.known.withLock({ $0[key] }) { return known }
        let found = Site.find(in: backtrace)
        Site.known.withLock { $0[key] = .some(found) }
        return found
    }
    private static func find(in backtrace: Backtrace) -> String? {
        let options: Backtrace.SymbolicationOptions = [.showInlineFrames, .showSourceLocations, .useSymbolCache]
        guard let frames = backtrace.symbolicated(with: images, options: options)?.frames else { return nil }
        for frame in frames {
            guard let symbol = frame.symbol, let place = symbol.sourceLocation, place.line > 0,
                !isOfLibrary(place.path), !symbol.isSwiftThunk, !symbol.isSystemFunction
            else { continue }
            return "\(URL(fileURLWithPath: place.path).lastPathComponent):\(place.line)"
        }
        return nil
    }
    private static func isOfLibrary(_ path: String) -> Bool {
        // What was inlined may be told by a path that begins in the package.
        path.hasPrefix("<") || libraries.contains { "/\(path)".contains("/Sources/\($0)/") }
    }
    private static let libraries = ["ReactCore", "ReactOperators", "ReactScheduling", "ReactGraph"]
    #else
    static func current() -> Site? { nil }
    var description: String? { nil }
    #endif
}
