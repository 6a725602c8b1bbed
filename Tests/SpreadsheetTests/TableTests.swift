import Testing

@testable import spreadsheet

@Suite("Text output")
struct TableTests {
    private func table(_ csv: String) throws -> String {
        var text = ""
        Table(try Sheet(csv)).write { text += $0 }
        return text
    }

    private func csv(_ csv: String) throws -> String {
        var text = ""
        try Sheet(csv).writeCSV { text += $0 }
        return text
    }

    @Test("numbers stand at the right of their columns, text at the left, and no line ends in spaces")
    func alignment() throws {
        let expected = """
               A       B       C
            1  name    price   note
            2  apples    1.20  per piece, and this is long
            3  pears     10.5
            4
            5              12  TRUE
            6       7  #NAME?

            """
        let csv = "name,price,note\napples,1.20,\"per piece, and this is long\"\npears,10.5\n\n,=3*4,TRUE\n7,=x,"
        #expect(try table(csv) == expected)
    }

    @Test("a text with nothing to its right does not widen its column")
    func title() throws {
        #expect(try table("A long title\n1,2\n") == "   A  B\n1  A long title\n2  1  2\n")
    }

    @Test("whole numbers that are calculated among amounts get cents, so that the points line up; others stay whole")
    func amounts() throws {
        let expected = """
               A       B     C
            1  100.10     3  1.50
            2  200.00    12
            3  300.50  0.25  2.00
            4  units   each  3.50
            5       7        7.00

            """
        #expect(try table("=100.1,3,1.50\n=200,=3*4,\n=300.5,=1/4,2.00\nunits,each,3.50\n=7,,=C1+C3+C4\n") == expected)
    }

    @Test(
        "numbers are written for people to read",
        arguments: [
            (0, "0"), (-0.0, "0"), (12, "12"), (-3, "-3"), (1234.5, "1234.50"), (0.5, "0.50"), (12.34, "12.34"),
            (0.1 + 0.2, "0.30"), (0.065, "0.065"), (1.0 / 3, "0.3333333333"), (2.9999999999999996, "3"),
            (1e15, "1e+15"),
            (123_456_789_012, "123456789012"), (98_765_432_101.239, "98765432101.24"), (1e-7, "1e-07"),
            (123_456_789_012.01, "123456789012.01"), (9_000_000_000_000.5, "9000000000000.50"),
            (-0.001, "-0.001"),
            (1e300, "1e+300"),
        ] as [(Double, String)]
    )
    func numbers(number: Double, text: String) {
        #expect(number.displayText == text)
    }

    @Test(
        "and without loss as comma-separated values",
        arguments: [
            (0, "0"), (-0.0, "0"), (12, "12"), (1234.5, "1234.5"), (0.1 + 0.2, "0.30000000000000004"), (1e20, "1e+20"),
            (1.0 / 3, "0.3333333333333333"), (1e-7, "1e-07"), (1e-300, "1e-300"),
        ] as [(Double, String)]
    )
    func plainNumbers(number: Double, text: String) {
        #expect(number.plainText == text)
        #expect(Double(text) == number)
    }

    @Test("wide characters, joined ones and control characters keep the columns straight")
    func unicode() throws {
        let expected = """
               A          B
            1  日本       1
            2  e\u{301}te\u{301}        2
            3  👩‍👧         3
            4  a␊b␉c      4
            5  12345678x  5

            """
        #expect(try table("日本,1\ne\u{301}te\u{301},2\n👩‍👧,3\n\"a\nb\tc\",4\n12345678x,5\n") == expected)
    }

    @Test("a sheet without formulas is written as it was read")
    func identity() throws {
        let text = "007,1.50,true\r\n\"a,b\",\"say \"\"yes\"\"\", x\r\n,,\r\n"
        #expect(try csv(text) == text)
    }

    @Test("the computed sheet has a field for every cell, short rows included")
    func computed() throws {
        #expect(
            try csv("1\n=A1/3,\"=\"\"a\"\"&\"\",b\"\"\"\n,,=1/0")
                == "1,,\r\n0.3333333333333333,\"a,b\",\r\n,,#DIV/0!\r\n")
    }

    @Test("an empty file is an empty sheet")
    func empty() throws {
        #expect(try csv("") == "")
        #expect(try table("") == "")
    }
}
