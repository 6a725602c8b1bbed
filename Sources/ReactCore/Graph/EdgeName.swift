/// An edge's name in one word: nearly every edge has that of its operator, a literal. Another name is in a box.
///
/// Trivial, for it is a part of the edge, which holds the box, and has it go (`letGo`).
struct EdgeName {
    private final class Box {
        let text: String
        init(_ text: String) { self.text = text }
    }
    /// Twice the address of the literal, or one more than the address of the box, which is even.
    private let word: UInt64

    init(literal: StaticString) { word = UInt64(UInt(bitPattern: literal.utf8Start)) << 1 }
    init(text: String) { word = UInt64(UInt(bitPattern: Unmanaged.passRetained(Box(text)).toOpaque())) | 1 }

    private var box: Unmanaged<Box>? {
        guard word & 1 == 1 else { return nil }
        return UnsafeRawPointer(bitPattern: UInt(word & ~1)).map { .fromOpaque($0) }
    }
    var text: String {
        if let box { return box._withUnsafeGuaranteedRef { $0.text } }
        return UnsafePointer<CChar>(bitPattern: UInt(word >> 1)).map { String(cString: $0) } ?? ""
    }
    @inline(__always) func letGo() { box?.release() }
}
