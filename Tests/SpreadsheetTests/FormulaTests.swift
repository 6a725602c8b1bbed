import Testing

@testable import spreadsheet

/// The value of a formula in which the cells hold what `cells` says.
private func value(_ text: String, _ cells: [String: CellValue] = [:]) throws -> CellValue {
    let formula = try Formula(text)
    return formula.value(for: formula.references.map { cells[$0.description] ?? .empty })
}

@Suite("Values of formulas")
struct FormulaValueTests {
    @Test(
        "operators bind and group as in other spreadsheets",
        arguments: [
            ("=1+2*3", 7), ("=(1+2)*3", 9), ("=2^3^2", 64), ("=-2^2", 4), ("=2^-1", 0.5), ("=10-4-3", 3),
            ("=16/4/2", 2),
            ("=2*3^2", 18), ("=--5", 5), ("=-(2+3)", -5), ("=+4", 4), ("= 1 +\t2 ", 3),
            ("=1\u{A0}+\u{A0}SUM(1,\u{A0}1)\u{A0}", 3), ("=1e3+.5", 1000.5),
            ("=1.5E-1", 0.15), ("=0^0", 1),
        ]
    )
    func arithmetic(text: String, result: Double) throws {
        #expect(try value(text) == .number(result))
    }

    @Test(
        "comparisons bind loosest, and join below arithmetic",
        arguments: [
            ("=1+1=2", .bool(true)), ("=1<>1", .bool(false)), ("=2>=2", .bool(true)), ("=1<=0", .bool(false)),
            ("=1&2+3", .text("15")), ("=\"a\"&\"b\"=\"ab\"", .bool(true)), ("=\"a\"=\"A\"", .bool(true)),
            ("=\"b\">\"A\"", .bool(true)), ("=99<\"1\"", .bool(true)), ("=\"z\"<FALSE", .bool(true)),
            ("=FALSE<TRUE", .bool(true)), ("=3>2>1", .bool(true)),
        ] as [(String, CellValue)]
    )
    func comparisons(text: String, result: CellValue) throws {
        #expect(try value(text) == result)
    }

    @Test(
        "values of one kind are taken for another where that makes sense",
        arguments: [
            ("=A1+1", .number(1)), ("=A1&\"x\"", .text("x")), ("=A1", .number(0)), ("=A1=0", .bool(true)),
            ("=A1=\"\"", .bool(true)), ("=A1=FALSE", .bool(true)), ("=TRUE+1", .number(2)), ("=\"12\"+1", .number(13)),
            ("=\"1 2\"+1", .error(.value)), ("=\"inf\"+1", .error(.value)), ("=\"0x10\"+1", .error(.value)),
            ("=1.50&TRUE", .text("1.5TRUE")), ("=-\"2\"", .number(-2)), ("=-\"x\"", .error(.value)),
            ("=\"say \"\"yes\"\"\"", .text("say \"yes\"")), ("=\"日本\"&\"é\"", .text("日本é")),
        ] as [(String, CellValue)]
    )
    func coercion(text: String, result: CellValue) throws {
        #expect(try value(text) == result)
    }

    @Test(
        "calculations without a result give errors",
        arguments: [
            ("=1/0", .divisionByZero), ("=0^-1", .divisionByZero), ("=1e308*10", .value), ("=-1^0.5", .value),
            ("=SQRT(-1)", .value), ("=A0", .reference), ("=ZZZ1+1", .reference), ("=SUM(A1:A0)", .reference),
            ("=A0:A1", .reference), ("=foo", .name), ("=foo+1", .name), ("=TOTAL(A1,2)", .name), ("=LOG10(A1)", .name),
            ("=B2:B3", .value), ("=B2:B3+1", .value), ("=ABS(B2:B3)", .value), ("=AVERAGE(B2:B3)", .divisionByZero),
            ("=#REF!", .reference), ("=1+#DIV/0!", .divisionByZero), ("=PMT(0,0,1)", .divisionByZero),
        ] as [(String, CellError)]
    )
    func errors(text: String, error: CellError) throws {
        #expect(try value(text) == .error(error))
    }

    @Test("an error travels through every operator and function, the first one first")
    func travelling() throws {
        let cells: [String: CellValue] = ["A1": .error(.divisionByZero), "A2": .error(.name), "A3": .number(1)]
        for text in [
            "=A1", "=A1+1", "=1-A1", "=A1*A2", "=A3/A1", "=A1^A2", "=A1&A2", "=A1=A2", "=3<A1", "=-A1", "=+A1",
            "=SUM(A1:A3)",
            "=SUM(3,A1)", "=AVERAGE(A1:A3)", "=MIN(A1:A3)", "=MAX(A3,A1)", "=ROUND(A1,2)", "=ROUND(1,A1)", "=ABS(A1)",
            "=SQRT(A1)", "=PMT(A1,2,3)", "=PMT(1,2,A1)", "=IF(A1,1,2)", "=IF(TRUE,A1,2)", "=(A1)",
        ] {
            #expect(try value(text, cells) == .error(.divisionByZero), "\(text)")
        }
    }

    @Test("a cell that depends on a ring has no value, even if its formula would not have looked at the ring")
    func cycles() throws {
        let cells: [String: CellValue] = ["A1": .error(.cycle), "A2": .number(1)]
        for text in ["=A1", "=A2+A1", "=COUNT(A1:A2)", "=IF(TRUE,1,A1)", "=A3/0+A1"] {
            #expect(try value(text, cells) == .error(.cycle), "\(text)")
        }
    }
}

@Suite("Functions")
struct FunctionTests {
    private let cells: [String: CellValue] = [
        "A1": .number(4), "A2": .text("7"), "A3": .bool(true), "A4": .empty, "A5": .number(-1.5), "A6": .error(.name),
    ]

    @Test(
        "aggregates take numbers, cells and ranges, and pass over cells that hold no number",
        arguments: [
            ("=SUM(1,2,3)", 6), ("=SUM(A1:A5)", 2.5), ("=SUM(A1,A2,A5:A5,10)", 12.5), ("=SUM(\"7\",TRUE)", 8),
            ("=AVERAGE(A1:A5)", 1.25), ("=AVERAGE(1,2)", 1.5), ("=MIN(A1:A5)", -1.5), ("=MIN(A1:A5,-2)", -2),
            ("=MAX(A1:A5)", 4), ("=MAX(A2:A4)", 0), ("=COUNT(A1:A6)", 2), ("=COUNT(A1,A2,\"7\",\"x\",TRUE)", 3),
            ("=SUM(A1:A2,A1:A2)", 8), ("=SUM(A1)", 4), ("=SUM(A2)", 0), ("=sum(a1)", 4),
        ]
    )
    func aggregates(text: String, result: Double) throws {
        #expect(try value(text, cells) == .number(result))
    }

    @Test(
        "IF evaluates only the branch that its condition chooses",
        arguments: [
            ("=IF(TRUE,1,2)", .number(1)), ("=IF(FALSE,1,2)", .number(2)), ("=IF(0,1)", .bool(false)),
            ("=IF(2,1/0,5)", .error(.divisionByZero)), ("=IF(A4,1/0,5)", .number(5)),
            ("=IF(A1>3,\"big\",A6)", .text("big")),
            ("=IF(\"true\",1,2)", .number(1)), ("=IF(A2,1,2)", .error(.value)),
            ("=IF(TRUE,IF(FALSE,1,2),3)+1", .number(3)),
            ("=IF(TRUE,A4)", .number(0)), ("=if(1=1,IF(1=2,3,4),5)&IF(1=1,6,7)", .text("46")),
        ] as [(String, CellValue)]
    )
    func conditions(text: String, result: CellValue) throws {
        #expect(try value(text, cells) == result)
    }

    @Test(
        "ROUND goes to the nearest, halves away from zero, as decimals and not as binary fractions",
        arguments: [
            ("=ROUND(2.675,2)", 2.68), ("=ROUND(-2.675,2)", -2.68), ("=ROUND(1.005,2)", 1.01), ("=ROUND(2.5,0)", 3),
            ("=ROUND(-2.5)", -3), ("=ROUND(1234.5678,-2)", 1200), ("=ROUND(1250,-2)", 1300),
            ("=ROUND(2.674999,2)", 2.67),
            ("=ROUND(0.1+0.2,10)", 0.3), ("=ROUND(1e300,2)", 1e300), ("=ROUND(5,400)", 5), ("=ROUND(5,-400)", 0),
            ("=ROUND(2000000000000000,0)", 2e15), ("=ROUND(-4000000000000000,0)", -4e15),
            ("=ROUND(20000000000000.5,2)", 20_000_000_000_000.5), ("=ROUND(99999999999.995,2)", 100_000_000_000),
            ("=ROUND(1.15,1)", 1.2), ("=ROUND(8.325,2)", 8.33),
        ]
    )
    func rounding(text: String, result: Double) throws {
        #expect(try value(text) == .number(result))
    }

    @Test("ABS and SQRT")
    func simpleFunctions() throws {
        #expect(try value("=ABS(-3.5)+ABS(2)") == .number(5.5))
        #expect(try value("=SQRT(2.25)") == .number(1.5))
    }

    // From tables of annuities, to the cent.
    @Test(
        "PMT is the payment of an annuity for each period",
        arguments: [
            ("=PMT(0.08/12,10,10000)", -1037.03), ("=PMT(0.08/12,10,10000,0,1)", -1030.16),
            ("=PMT(0.06/12,18*12,0,50000)", -129.08),
            ("=PMT(0,24,1200)", -50), ("=-PMT(0.065/12,360,300000)", 1896.20),
        ]
    )
    func payments(text: String, result: Double) throws {
        guard case .number(let payment) = try value(text) else { return #expect(Bool(false), "no number") }
        #expect(abs(payment - result) < 0.005)
    }
}

@Suite("Reading formulas")
struct FormulaReadingTests {
    @Test("a formula's references are the cells that it names, each once, in order")
    func references() throws {
        let formula = try Formula("=B2+SUM(A1:B2,$B$2)*c3+IF(A1,D4,b2)")
        #expect(formula.references.map(\.description) == ["B2", "A1", "B1", "A2", "C3", "D4"])
    }

    @Test(
        "a malformed formula tells the place, the expected text, and the text that stands there",
        arguments: [
            ("=", "column 2: expected a value, a cell, a function or '(', found the end of the formula"),
            ("=1+", "column 4: expected a value, a cell, a function or '(', found the end of the formula"),
            ("=1 2", "column 4: expected an operator or the end of the formula, found \"2\""),
            ("=(1+2", "column 6: expected an operator or ')', found the end of the formula"),
            ("=1)", "column 3: expected an operator or the end of the formula, found \")\""),
            ("=SUM(B1,", "column 9: expected a value, a cell, a function or '(', found the end of the formula"),
            ("=SUM(B1;B2)", "column 8: expected a value or an operator, found \";\""),
            ("=SUM(B1 B2)", "column 9: expected ',' or ')', found \"B2\""),
            ("=*2", "column 2: expected a value, a cell, a function or '(', found \"*\""),
            ("=\"abc", "column 6: expected a closing quote, found the end of the formula"),
            ("=\"é👍🏽\"+\"", "column 8: expected a closing quote, found the end of the formula"),
            ("=\"日本\" x", "column 7: expected an operator or the end of the formula, found \"x\""),
            ("=B2:", "column 5: expected the cell at the other end of the range, found the end of the formula"),
            ("=B2:3", "column 5: expected the cell at the other end of the range, found \"3\""),
            ("=$+1", "column 2: expected a cell such as $B$2, found \"$\""),
            ("=B$$2", "column 3: expected a cell such as $B$2, found \"B$$2\""),
            ("=#WRONG!", "column 2: expected an error such as #REF!, found \"#WRONG!\""),
            ("=1.2.3", "column 5: expected an operator or the end of the formula, found \".3\""),
            ("=1e", "column 2: expected a number, such as 12.5 or 1e6, found \"1e\""),
            ("=1e999", "column 2: expected a number, such as 12.5 or 1e6, found \"1e999\""),
            ("=.", "column 2: expected a number, such as 12.5 or 1e6, found \".\""),
            ("=1+ABS()", "column 4: expected 1 argument for ABS, found 0"),
            ("=ABS(1,2)", "column 2: expected 1 argument for ABS, found 2"),
            ("=SUM()", "column 2: expected at least 1 argument for SUM, found 0"),
            ("=IF(1)", "column 2: expected 2 to 3 arguments for IF, found 1"),
            ("=IF(1,2,3,4)", "column 2: expected 2 to 3 arguments for IF, found 4"),
            ("=IF()", "column 2: expected 2 to 3 arguments for IF, found 0"),
            ("=PMT(1,2)", "column 2: expected 3 to 5 arguments for PMT, found 2"),
            ("=SUM(A1:B1048576)", "column 9: expected a range of at most 1048576 cells, found \"B1048576\""),
            ("=1%", "column 3: expected a value or an operator, found \"%\""),
            ("=1\n2", "column 4: expected an operator or the end of the formula, found \"2\""),
            ("=1+\u{7}", "column 4: expected a value or an operator, found \"\\u{07}\""),
            (
                "=" + String(repeating: "x", count: 50) + "(1))",
                "column 55: expected an operator or the end of the formula, found \")\""
            ),
        ]
    )
    func malformed(text: String, message: String) throws {
        let error = #expect(throws: FormulaError.self) { try Formula(text) }
        #expect(error?.description == message)
    }

    @Test("parentheses nest 64 deep and no deeper")
    func nesting() throws {
        func nested(_ depth: Int) -> String {
            "=" + String(repeating: "(", count: depth) + "7" + String(repeating: ")", count: depth)
        }
        #expect(try value(nested(64)) == .number(7))
        let error = #expect(throws: FormulaError.self) { try Formula(nested(65)) }
        #expect(error?.description == "column 66: expected at most 64 nested parentheses, found \"(\"")
        #expect(throws: FormulaError.self) { try Formula("=" + String(repeating: "ABS(", count: 100_000)) }
    }

    @Test("a formula may be long: neither reading nor evaluating it recurses along its length")
    func long() throws {
        #expect(try value("=1" + String(repeating: "+1", count: 50_000)) == .number(50_001))
        #expect(try value("=" + String(repeating: "-", count: 50_000) + "1") == .number(1))
    }
}
