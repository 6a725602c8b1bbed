/// A compiled formula: a small program for a stack machine, over the values of the cells that it refers to.
///
/// The program is flat, so that neither evaluating nor releasing a long formula recurses. A formula is a pure function
/// of its inputs.
struct Formula: Sendable {
    /// The text as it was written, with its `=`.
    let text: String
    /// The cells whose values the formula reads, each once, in the order in which they are first named. Cells of small
    /// ranges are among them.
    let references: [CellAddress]
    /// The large ranges whose cells the formula reads, each once, in the order in which they are first named.
    let ranges: [CellRange]
    /// The program. Formulas that differ only in the cells that they name have equal programs.
    var program: [Instruction]

    /// A range with more cells than this is not split into references.
    static let mostCellsByReference = 64

    var isConstant: Bool { references.isEmpty && ranges.isEmpty }
    /// True if the formula may need only some of its inputs, as an IF does.
    var isSelective: Bool { program.contains(where: \.isBranch) }

    /// Returns the result for `inputs`, the values of `references` in their order, and `ranges`, the contents of the
    /// large ranges.
    ///
    /// A formula that depends on a ring has no value, even if its function would not have read that cell. If the result
    /// is the value of an empty cell, it is 0.
    func value(for inputs: [CellValue], ranges: [RangeContents] = []) -> CellValue {
        if inputs.contains(where: \.isCycle) || ranges.contains(where: \.hasCycle) { return .error(.cycle) }
        return value {
            inputs[$0]
        } range: {
            ranges[$0]
        }
    }
    /// Returns the result for the answers of `cell` and `range`. Each is called only for the inputs that are needed, by
    /// their index in `references` or `ranges`: for an IF, those of one branch. None of them may depend on a ring.
    func value<Failure>(
        cell: (Int) throws(Failure) -> CellValue, range: (Int) throws(Failure) -> RangeContents
    ) throws(Failure) -> CellValue {
        let result = try Evaluation().run(program, cell: cell, range: range)
        return if case .empty = result { .number(0) } else { result }
    }
}

enum Instruction: Hashable, Sendable {
    /// Push a value.
    case constant(CellValue)
    /// Push the value of the input with this index.
    case input(Int32)
    /// Push the inputs with these indices as one argument.
    case range([Int32])
    /// Push the large range with this index as one argument.
    case largeRange(Int32)
    /// Replace the top by its number's negative.
    case negate
    /// Replace the two on top by one.
    case binary(BinaryOperator)
    /// Replace the arguments on top by the result.
    case call(Function, argumentCount: Int)
    /// Pop a condition. Go on if it is true, and go to `otherwise` if it is false. If it is an error, push it again at
    /// `end`.
    case branch(otherwise: Int, end: Int)
    case jump(Int)

    fileprivate var isBranch: Bool { if case .branch = self { true } else { false } }
}

/// An entry of the stack: a value, or a range, which only aggregates take.
enum Operand {
    case value(CellValue)
    case range([CellValue])
    case largeRange(RangeContents)
}

private struct Evaluation {
    private var stack: [Operand] = []

    consuming func run<Failure>(
        _ program: [Instruction],
        cell: (Int) throws(Failure) -> CellValue, range: (Int) throws(Failure) -> RangeContents
    ) throws(Failure) -> CellValue {
        var next = 0
        while next < program.count {
            let instruction = program[next]
            next += 1
            switch instruction {
            case .constant(let value): stack.append(.value(value))
            case .input(let index): stack.append(.value(try cell(Int(index))))
            case .range(let indices):
                var values: [CellValue] = []
                values.reserveCapacity(indices.count)
                for index in indices { values.append(try cell(Int(index))) }
                stack.append(.range(values))
            case .largeRange(let index): stack.append(.largeRange(try range(Int(index))))
            case .negate:
                let operand = pop()
                push { () throws(CellError) in .number(-(try operand.asNumber())) }
            case .binary(let binary):
                let right = pop()
                let left = pop()
                push { () throws(CellError) in try binary.value(left, right) }
            case .call(let function, let count):
                let arguments = stack.suffix(count)
                stack.removeLast(count)
                push { () throws(CellError) in try function.value(arguments) }
            case .branch(let otherwise, let end):
                do throws(CellError) {
                    if try !pop().asBool() { next = otherwise }
                } catch {
                    stack.append(.value(.error(error)))
                    next = end
                }
            case .jump(let target): next = target
            }
        }
        return pop()
    }

    /// If one value is needed, a range stands for its only cell.
    private mutating func pop() -> CellValue {
        switch stack.removeLast() {
        case .value(let value): value
        case .range(let values): values.count == 1 ? values[0] : .error(.value)
        case .largeRange: .error(.value)
        }
    }

    private mutating func push(_ result: () throws(CellError) -> CellValue) {
        do throws(CellError) {
            stack.append(.value(try result()))
        } catch {
            stack.append(.value(.error(error)))
        }
    }
}
