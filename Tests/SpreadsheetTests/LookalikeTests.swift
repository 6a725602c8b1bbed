import Testing

@testable import spreadsheet

@Suite("Texts that look like numbers")
struct LookalikeTests {
    private static let remedy = "is a text, which formulas leave out; write a number as 1200.5 or -0.12"

    @Test(
        "a number as other spreadsheets write it is recognised",
        arguments: [
            "1,200.00", "1,200", "1,5", "1.200,50", "1 200,50", "1'200.50", "1\u{202F}200", "12%", "12 %", "(50.00)",
            "$5", "-$5.25", "5 €", "€1.200", "50.00-", "−5", "1.200.300", "1,00,000", "12,345,678.9", "１２", "١٢٫٥",
            "1e999", ",5", "EUR 5", "5 EUR", "CHF 1'200", "R$ 500", "Rs. 500", "500 kr", "EUR5", "-USD 1,200.50",
            "(EUR 5)", "EUR -5", "US$5", "1.200,50 kr.", "5\u{A0}zł", "SEK .5",
        ])
    func recognised(text: String) {
        #expect(CellValue(constant: text) == .text(text))
        #expect(Lookalike(text, from: "") != nil)
    }

    @Test(
        "other texts are not",
        arguments: [
            "", "abc", "2024-01-02", "15.01.2024", "2024.01.15", "12:30", "1.2.3", "a1", "1a", "-", "()", ".", ",", "%",
            "12 34", "1,2,3", "1,,200", "12 kg", "#REF!", "A1:B2", "3/4", "1 2", "五", "1,200,", "e", "+-e", "１a",
            "5 kg EUR", "EUR", "R$", "EUR EUR 5", "EUR 5 EUR", "ABC 5", "5 XYZ", "eur 5", "kr", "A 5", "EUR 2024-01-02",
            "EURO 5", "R5",
        ])
    func others(text: String) {
        #expect(Lookalike(text, from: "") == nil)
    }

    @Test("a number that is read is no text that looks like one", arguments: ["1", " 1 ", "-1.5e3", "+.5", "1e6", "0"])
    func numbers(text: String) throws {
        let sheet = try Sheet("\(text),=SUM(A1)\n")
        #expect(sheet.takeLeftOut() == [])
    }

    @Test("a text that a formula leaves out of a range is told with file, line and cell, and the exit status is 2")
    func told() throws {
        try withFile("Item,Amount\n\"Rent,\nand heat\",\"1,200.00\"\nGas,80\nShare,12%\nTotal,=SUM(B2:B3)\n") { path in
            let outcome = Outcome(path)
            #expect(outcome.output.hasSuffix("80\n"))
            #expect(outcome.error == "spreadsheet: \(path):3: B2, \"1,200.00\" \(Self.remedy)\n")
            #expect(outcome.status == 2)
        }
    }

    @Test("a text that no formula has in a range is not told, nor a text that gives an error")
    func notTold() throws {
        for csv in ["\"1,200.00\",12%\n", "12%,=A1\n", "12%,=A1&A1\n", "12%,5,=SUM(B1:B1)\n", "(50),=A1*2\n"] {
            try withFile(csv) { path in
                let outcome = Outcome(path)
                #expect(outcome.error == "" && outcome.status == 0, "\(csv)")
            }
        }
    }

    @Test("in a large range, and behind a function of any name, it is told")
    func ranges() throws {
        let column = Array(repeating: "1\n", count: 200).joined()
        let sheet = try Sheet("=COUNT(A2:A300),=SUM(A1:A9)\n\(column)50%\n")
        #expect(sheet.takeLeftOut() == ["test.csv:202: A202, \"50%\" \(Self.remedy)"])
        for function in ["SUM(A1)", "AVERAGE(A1:B1)", "MIN(B1,A1)", "MAX(A1:A2)", "IF(TRUE,SUM(A1:B2),0)"] {
            let sheet = try Sheet("50%,1,\"=\(function)\"\n")
            #expect(sheet.takeLeftOut().count == 1, "\(function)")
        }
    }

    @Test("an edit that makes one, or a formula that leaves one out, is told once")
    func edits() throws {
        try withFile("1,2,=SUM(A1:B1)\n") { path in
            let edit = Outcome(path, "--set", "A1=1,5")
            #expect(edit.error == "spreadsheet: A1, \"1,5\" \(Self.remedy)\n" && edit.status == 2)
            #expect(edit.output.hasSuffix("C1: 3 -> 2\n1 of 1 formula cells recomputed\n"))
            let watched = Outcome(
                path, "--watch", watching: "B2=5 %", "A2=7", "C2==SUM(A2:B2)", "A2=8", "A1=1,5", "A1=2", "A1=2,5")
            #expect(
                watched.error == """
                    spreadsheet: standard input:3: B2, "5 %" \(Self.remedy)
                    spreadsheet: standard input:5: A1, "1,5" \(Self.remedy)
                    spreadsheet: standard input:7: A1, "2,5" \(Self.remedy)

                    """)
            #expect(watched.status == 2)
        }
    }

    @Test("a formula that a comma has cut gets the remedy, and one that is wrong by itself does not")
    func cutFormulas() throws {
        let remedy = "; a formula with commas stands in quotes, as in \"=SUM(A1,B1)\""
        func message(_ csv: String) throws -> String {
            try withFile(csv) { path in
                let outcome = Outcome(path)
                #expect(outcome.status == 2)
                return outcome.error
            }
        }
        for csv in ["1,2,=SUM(A1,B1)\n", "=IF(A1>1,2,3)\n", "=(1,2\n", "=ROUND(SUM(A1,B1),2)\n"] {
            #expect(try message(csv).hasSuffix("found the end of the formula\(remedy)\n"), "\(csv)")
        }
        for csv in ["1,2,=SUM(A1\n", "\"=SUM(A1\",2\n", "=SUM(A1;B1),2\n", "=1+\n"] {
            #expect(try !message(csv).contains("quotes"), "\(csv)")
        }
    }

    @Test("control characters in formulas and messages are shown by their pictures")
    func controlCharacters() throws {
        try withFile("\"=\"\"a\u{1B}[31m\"\"&B1\",1\n") { path in
            let outcome = Outcome(path, "--set", "B1=\u{1B}[2J", "--why", "A1", "--why-not", "A1")
            #expect(!(outcome.output + outcome.error).unicodeScalars.contains("\u{1B}"))
        }
        try withFile("=1+\u{1B}[2J\n") { path in
            #expect(!Outcome(path).error.unicodeScalars.contains("\u{1B}"))
        }
    }
}
