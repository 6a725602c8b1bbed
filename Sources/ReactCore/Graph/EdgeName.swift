/// An edge's name in one word: nearly every edge has that of its operator, a literal. Another name is in a box.
///
/// Trivial, for it is a part of the edge, which holds the box, and has it go (`letGo`).
struct EdgeName {
    private final class Box {
        let text: String
        init(_ text: String) { self.text = text }
    }
    /// The address of the literal, or of the box and this bit, which no address has.
    private let word: UInt
    private static let boxed: UInt = 1 << 63

    init(literal: StaticString) { word = UInt(bitPattern: literal.utf8Start) }
    init(text: String) {
        word = UInt(bitPattern: Unmanaged.passRetained(Box(text)).toOpaque()) | EdgeName.boxed
    }
    private var box: Unmanaged<Box>? {
        guard word & EdgeName.boxed != 0 else { return nil }
        return UnsafeRawPointer(bitPattern: word & ~EdgeName.boxed).map { .fromOpaque($0) }
    }
    var text: String {
        if let box { return box._withUnsafeGuaranteedRef { $0.text } }
        return UnsafePointer<CChar>(bitPattern: word).map { String(cString: $0) } ?? ""
    }
    @inline(__always) func letGo() { box?.release() }
}
