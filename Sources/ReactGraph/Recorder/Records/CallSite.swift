import Foundation
import ReactCore

// Swift's own module resolves addresses to lines, on the platforms that have it.
#if canImport(Runtime) && os(Linux)
import Runtime
#endif

/// The place in a program that made a node or an edge. It stores return addresses, and looks up the line when asked.
///
/// The C library collects the addresses, by the unwind tables. Swift's own `Backtrace.capture` follows frame pointers,
/// which optimised code does not keep. So it would miss most frames, and read memory that is not there.
struct CallSite: Sendable {
    #if canImport(Runtime) && os(Linux)
    private let addresses: [UInt]
    private static let images = ImageMap.capture()
    private static let known = Lock<[UInt: String?]>([:])

    private typealias Capture = @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32) -> Int32
    private static let capture = dlsym(nil, "backtrace").map { unsafeBitCast($0, to: Capture.self) }

    /// The largest number of frames: as many as the library may have on the stack in a build that is not optimised, and
    /// some more.
    private static let mostFrames = 40

    /// Returns the place that calls the library now.
    static func current() -> CallSite? {
        guard let capture else { return nil }
        let addresses = withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: mostFrames) {
            frames in
            frames.initialize(repeating: nil)
            let count = Int(capture(frames.baseAddress.unsafelyUnwrapped, Int32(frames.count)))
            return frames.prefix(count).map { UInt(bitPattern: $0) }
        }
        return CallSite(addresses: addresses)
    }
    /// The file and line, such as `Shop.swift:31`; `nil` if they are not known.
    ///
    /// It looks at one frame after the other, up to the first outside of the library, because the lookup of a line
    /// reads most line tables of the image.
    var description: String? { addresses.lazy.compactMap(CallSite.place(before:)).first }

    /// Returns the line from which the call at a return address was made; `nil` within the library or the system.
    private static func place(before address: UInt) -> String? {
        if let known = known.withLock({ $0[address] }) { return known }
        let found = backtrace(of: address).flatMap(find)
        known.withLock { $0[address] = .some(found) }
        return found
    }
    /// Returns a backtrace of Swift's module with this one frame, by way of the compact form in which it encodes them.
    private static func backtrace(of address: UInt) -> Backtrace? {
        #if arch(x86_64)
        let architecture = "x86_64"
        #else
        let architecture = "arm64"
        #endif
        let is64Bit: UInt8 = 2, returnAddressOfEightBytes: UInt8 = 0x27, end: UInt8 = 0
        var bytes = [is64Bit, returnAddressOfEightBytes]
        withUnsafeBytes(of: UInt64(address).bigEndian) { bytes.append(contentsOf: $0) }
        bytes.append(end)
        let compact = Data(bytes).base64EncodedString().prefix { $0 != "=" }
        let encoded = ["architecture": architecture, "backtrace": String(compact)]
        return try? JSONDecoder().decode(Backtrace.self, from: JSONEncoder().encode(encoded))
    }
    /// Returns the place of the innermost frame outside of the library; inlined calls have frames of their own.
    private static func find(in backtrace: Backtrace) -> String? {
        let options: Backtrace.SymbolicationOptions = [.showInlineFrames, .showSourceLocations, .useSymbolCache]
        guard let frames = backtrace.symbolicated(with: images, options: options)?.frames else { return nil }
        for frame in frames {
            guard let symbol = frame.symbol, let place = symbol.sourceLocation, place.line > 0,
                !isOfLibrary(place.path), !isThunk(symbol), !symbol.isSystemFunction,
                // A sanitizer's interceptor of `backtrace` is a frame with a line of its own.
                !symbol.name.hasPrefix("__interceptor_")
            else { continue }
            return "\(URL(fileURLWithPath: place.path).lastPathComponent):\(place.line)"
        }
        return nil
    }
    /// Returns true for code that the compiler has made. The initializer of a struct is the program's own, although its
    /// symbol ends like the allocating initializer of a class.
    private static func isThunk(_ symbol: SymbolicatedBacktrace.Symbol) -> Bool {
        symbol.isSwiftThunk && !(symbol.rawName.hasSuffix("fC") && !symbol.name.contains("__allocating_init"))
    }
    private static func isOfLibrary(_ path: String) -> Bool {
        // The path of inlined code may be relative to the package, so a slash is put in front.
        path.hasPrefix("<") || libraries.contains { "/\(path)".contains("/Sources/\($0)/") }
    }
    private static let libraries = [
        "ReactCore", "ReactOperators", "ReactScheduling", "ReactTables", "ReactGraph", "ReactTesting",
    ]
    #else
    static func current() -> CallSite? { nil }
    var description: String? { nil }
    #endif
}
