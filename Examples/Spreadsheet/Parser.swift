// expression = operand { operator expression }       the tighter operators first
// operand    = { + | - } ( number | text | TRUE | FALSE | error | name | cell | cell : cell
//                        | function "(" [ expression { "," expression } ] ")" | "(" expression ")" )
//
// From loosest to tightest: comparisons, &, + -, * /, ^, a sign. As in other spreadsheets a sign binds more tightly
// than a power (-2^2 is 4), and equal operators group from the left (2^3^2 is 64).

extension Formula {
    /// Compiles a formula. Precondition: `text` starts with `=`.
    init(_ text: String) throws(FormulaError) {
        var parser = try Parser(text)
        try parser.formula()
        self.init(text: text, references: parser.references, ranges: parser.ranges, program: parser.program)
    }
}

/// Reads a formula and writes its program, operands before operators, as it goes.
private struct Parser {
    /// The limit of nested parentheses. It bounds the stack, because the parser recurses only for parentheses.
    private static let deepestNesting = 64
    /// The greatest number of cells of a range: a whole column.
    private static let largestRange = CellAddress.last.row

    private var lexer: Lexer
    private var token: Token
    private var nesting = 0
    /// The indices of the references, once there are too many for a linear search.
    private var inputs: [CellAddress: Int] = [:]
    private(set) var references: [CellAddress] = []
    private var largeRanges: [CellRange: Int32] = [:]
    private(set) var ranges: [CellRange] = []
    private(set) var program: [Instruction] = []

    init(_ text: String) throws(FormulaError) {
        lexer = Lexer(text)
        token = try lexer.next()
    }

    mutating func formula() throws(FormulaError) {
        try expression()
        guard token.kind == .end else { throw expected("an operator or the end of the formula") }
    }

    private mutating func expression(tighterThan bound: Int = 0) throws(FormulaError) {
        try operand()
        while case .symbol(let symbol) = token.kind, let binary = BinaryOperator(symbol), binary.precedence > bound {
            try advance()
            try expression(tighterThan: binary.precedence)
            program.append(.binary(binary))
        }
    }

    private mutating func operand() throws(FormulaError) {
        var minuses = 0
        while token.kind == .symbol(.minus) || token.kind == .symbol(.plus) {
            if token.kind == .symbol(.minus) { minuses += 1 }
            try advance()
        }
        switch token.kind {
        case .number(let number): try constant(.number(number))
        case .text(let text): try constant(CellValue(text: text))
        case .bool(let bool): try constant(.bool(bool))
        case .error(let error): try constant(.error(error))
        case .name(let name): try named(name)
        case .reference, .referenceOutside: try reference()
        case .symbol(.open): try parentheses()
        case .symbol, .end: throw expected("a value, a cell, a function or '('")
        }
        program.append(contentsOf: repeatElement(.negate, count: minuses))
    }

    private mutating func constant(_ value: CellValue) throws(FormulaError) {
        program.append(.constant(value))
        try advance()
    }

    private mutating func parentheses() throws(FormulaError) {
        try nested { (parser) throws(FormulaError) in try parser.expression() }
        try close()
    }

    // MARK: Cells

    private mutating func reference() throws(FormulaError) {
        let first = token
        try advance()
        guard token.kind == .symbol(.colon) else {
            if case .reference(let address) = first.kind {
                program.append(.input(input(address)))
            } else {
                program.append(.constant(.error(.reference)))
            }
            return
        }
        try advance()
        switch (first.kind, token.kind) {
        case (.reference(let corner), .reference(let opposite)):
            let range = CellRange(corner, opposite)
            guard range.count <= Parser.largestRange else {
                throw expected("a range of at most \(Parser.largestRange) cells")
            }
            if range.count <= Formula.mostCellsByReference {
                program.append(.range(range.addresses.map { input($0) }))
            } else {
                program.append(.largeRange(index(of: range)))
            }
        case (_, .reference), (_, .referenceOutside):
            program.append(.constant(.error(.reference)))
        default: throw expected("the cell at the other end of the range")
        }
        try advance()
    }

    /// Returns the index of a cell among the formula's inputs. A cell that is named twice is one input.
    private mutating func input(_ address: CellAddress) -> Int32 {
        if references.count < 16 {
            if let known = references.firstIndex(of: address) { return Int32(known) }
        } else {
            if inputs.isEmpty { for (index, reference) in references.enumerated() { inputs[reference] = index } }
            if let known = inputs[address] { return Int32(known) }
            inputs[address] = references.count
        }
        references.append(address)
        return Int32(references.count - 1)
    }

    /// Returns the index of a range among the large ranges. A range that is named twice is one.
    private mutating func index(of range: CellRange) -> Int32 {
        if let known = largeRanges[range] { return known }
        let index = Int32(ranges.count)
        ranges.append(range)
        largeRanges[range] = index
        return index
    }

    // MARK: Functions

    private mutating func named(_ name: String) throws(FormulaError) {
        let nameToken = token
        try advance()
        guard token.kind == .symbol(.open) else { return program.append(.constant(.error(.name))) }
        let name = name.uppercased()
        if name == "IF" {
            try conditional(at: nameToken)
        } else {
            try call(Function(rawValue: name), at: nameToken)
        }
    }

    /// `function` is `nil` for an unknown name. The cells in such a call still count as references.
    private mutating func call(_ function: Function?, at name: Token) throws(FormulaError) {
        let start = program.count
        let count = try arguments { (parser, _) throws(FormulaError) in
            let start = parser.program.count
            try parser.expression()
            // An aggregate treats a single cell as a range of one cell.
            if let function, function.takesRanges, case .input(let index) = parser.program[start],
                parser.program.count == start + 1
            {
                parser.program[start] = .range([index])
            }
        }
        guard let function else {
            program.removeSubrange(start...)
            return program.append(.constant(.error(.name)))
        }
        try check(count, isIn: function.arity, for: function.rawValue, at: name)
        program.append(.call(function, argumentCount: count))
    }

    /// Compiles IF, which evaluates its condition, and then only the branch that it chooses.
    private mutating func conditional(at name: Token) throws(FormulaError) {
        var branch = 0
        var jump = 0
        let count = try arguments { (parser, index) throws(FormulaError) in
            if index == 1 {
                branch = parser.program.count
                parser.program.append(.branch(otherwise: 0, end: 0))
            } else if index == 2 {
                jump = parser.program.count
                parser.program.append(.jump(0))
            }
            try parser.expression()
        }
        try check(count, isIn: 2...3, for: "IF", at: name)
        if count == 2 {
            jump = program.count
            program += [.jump(0), .constant(.bool(false))]
        }
        program[branch] = .branch(otherwise: jump + 1, end: program.count)
        program[jump] = .jump(program.count)
    }

    /// Reads the arguments between the parentheses, and calls `argument` for each. Returns their number.
    private mutating func arguments(
        _ argument: (inout Parser, _ index: Int) throws(FormulaError) -> Void
    ) throws(FormulaError) -> Int {
        var count = 0
        try nested { (parser) throws(FormulaError) in
            guard parser.token.kind != .symbol(.close) else { return }
            try argument(&parser, count)
            count += 1
            while parser.token.kind == .symbol(.comma) {
                try parser.advance()
                try argument(&parser, count)
                count += 1
            }
        }
        try close(orElse: "',' or ')'")
        return count
    }

    private func check(
        _ count: Int,
        isIn arity: ClosedRange<Int>,
        for function: String,
        at name: Token
    ) throws(FormulaError) {
        guard !arity.contains(count) else { return }
        let wanted =
            switch (arity.lowerBound, arity.upperBound) {
            case (1, 1): "1 argument"
            case (let least, let most) where least == most: "\(least) arguments"
            case (let least, .max): "at least \(least) argument"
            case (let least, let most): "\(least) to \(most) arguments"
            }
        throw lexer.expected("\(wanted) for \(function)", at: name, found: "\(count)")
    }

    // MARK: Tokens

    private mutating func advance() throws(FormulaError) { token = try lexer.next() }

    private mutating func nested(_ body: (inout Parser) throws(FormulaError) -> Void) throws(FormulaError) {
        guard nesting < Parser.deepestNesting else {
            throw expected("at most \(Parser.deepestNesting) nested parentheses")
        }
        nesting += 1
        try advance()
        try body(&self)
        nesting -= 1
    }

    private mutating func close(orElse wanted: String = "an operator or ')'") throws(FormulaError) {
        guard token.kind == .symbol(.close) else { throw expected(wanted) }
        try advance()
    }

    private func expected(_ wanted: String) -> FormulaError { lexer.expected(wanted, at: token) }
}
