import Testing

@testable import spreadsheet

@Suite("Cell addresses")
struct CellAddressTests {
    @Test(
        "an address reads as its column and row, and back",
        arguments: [
            ("A1", 1, 1), ("B2", 2, 2), ("Z9", 26, 9), ("AA10", 27, 10), ("AZ1", 52, 1), ("BA1", 53, 1),
            ("ZZ1", 702, 1),
            ("AAA1", 703, 1), ("XFD1048576", 16_384, 1_048_576),
        ]
    )
    func names(name: String, column: Int, row: Int) {
        let address = CellAddress(column: column, row: row)
        #expect(CellAddress(name) == address)
        #expect(address.description == name)
    }

    @Test("dollar signs and letter case make no difference", arguments: ["$B$2", "B$2", "$B2", "b2", "$b$2"])
    func spelling(name: String) {
        #expect(CellAddress(name) == CellAddress(column: 2, row: 2))
    }

    @Test("a cell that the sheet does not have is told from a word that is no address")
    func readings() {
        for outside in ["A0", "A1048577", "XFE1", "ZZZ1", "A99999999999999999999"] {
            #expect(CellAddress.read(outside.utf8) == .outside, "\(outside)")
        }
        for other in ["", "A", "1", "1A", "ABCD1", "A1B", "A-1", "$", "A$", "$$A1", "A$$1", "A1$", "$1", "Ä1", "A 1"] {
            #expect(CellAddress.read(other.utf8) == .notAnAddress, "\(other)")
        }
    }

    @Test("a range has the cells of its rectangle, row by row, whichever corners name it")
    func ranges() {
        let corners = [("B2", "C4"), ("C4", "B2"), ("B4", "C2"), ("C2", "B4")]
        for (first, second) in corners {
            let range = CellRange(CellAddress(first)!, CellAddress(second)!)
            #expect(range.addresses.map(\.description) == ["B2", "C2", "B3", "C3", "B4", "C4"])
            #expect(range.count == 6)
        }
    }
}
