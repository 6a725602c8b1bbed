import Foundation

extension Double {
    /// The shortest text that reads back as the same number.
    var plainText: String {
        if self == rounded(), magnitude < 1e15 { return String(Int64(self)) }
        let text = description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// The number for people to read: whole numbers without decimals, amounts with two, and otherwise ten digits.
    var displayText: String {
        if isWhole { return String(Int64(rounded())) }
        if isAmount || (1e9..<1e15).contains(magnitude) { return displayText(decimals: 2) }
        return String(format: "%.10g", self)
    }

    /// The number with that many decimals, and never `-0`.
    func displayText(decimals: Int) -> String {
        let text = String(format: "%.\(decimals)f", self)
        return text.hasPrefix("-") && text.allSatisfy { "-0.".contains($0) } ? String(text.dropFirst()) : text
    }

    /// True for a whole number, up to the error of binary fractions.
    var isWhole: Bool { isWholeNumber(ofParts: 1) }
    /// True for a number of cents that is not whole, such as 12.34 or 12.5.
    var isAmount: Bool { !isWhole && isWholeNumber(ofParts: 100) }

    private func isWholeNumber(ofParts partsOfOne: Double) -> Bool {
        magnitude < 1e15 && abs((self * partsOfOne).rounded() / partsOfOne - self) <= min(magnitude * 1e-13, 1e-3)
    }
}
