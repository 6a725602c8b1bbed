import Streams

extension Sheet {
    /// Reads a sheet from a file of comma-separated values, in which a field that starts with `=` is a formula.
    ///
    /// `progress` is called from time to time with a text about the progress.
    convenience init(contentsOfFile path: String, progress: (String) -> Void = { _ in }) throws(InputError) {
        try self.init(csv: bytes(ofFile: path), file: path, progress: progress)
    }

    /// `file` is the name of the text in messages.
    convenience init(csv: [UInt8], file: String, progress: (String) -> Void = { _ in }) throws(InputError) {
        self.init()
        beginLoading()
        var reader = CSV.Reader(bytes: csv)
        var programs: Set<[Instruction]> = []
        var row = 0
        var count = 0
        while let record = try nextRecord(&reader, of: file) {
            row += 1
            guard row <= CellAddress.last.row, record.count <= CellAddress.last.column else {
                let limits = "\(CellAddress.last.row) rows or \(CellAddress.last.column) columns"
                throw InputError(message: "\(file): more than \(limits)")
            }
            extend(to: CellAddress(column: record.count, row: row))
            for (column, field) in zip(1..., record) where !field.text.isEmpty {
                let address = CellAddress(column: column, row: row)
                do throws(FormulaError) {
                    let content = try Content(field.text).sharingProgram(with: &programs)
                    write(Edit(address: address, content: content), from: "\(file):\(field.line): ")
                } catch {
                    // A comma in parentheses has ended the field, and so the formula.
                    let isInParentheses = error.found == FormulaError.end && error.expected.hasSuffix("')'")
                    let isCut = !field.isQuoted && column < record.count && isInParentheses
                    let remedy = isCut ? "; a formula with commas stands in quotes, as in \"=SUM(A1,B1)\"" : ""
                    throw InputError(message: "\(file):\(field.line): \(address), \(error)\(remedy)")
                }
                count += 1
                if count & 0x7FFF == 0 { progress("reading \(file): \(count) cells") }
            }
        }
        compute { done, total in progress("computing \(file): \(done) of \(total) formulas") }
    }

    /// The computed sheet as comma-separated values, record by record. All records have the same number of fields.
    /// Numbers have all their digits. Constants stand as they were typed. A formula's text that begins with `=` is
    /// written as a formula whose value it is, so that a reader of the file gets the text again.
    func writeCSV(to write: (String) -> Void) {
        for addresses in filledRows {
            var fields = Array(repeating: "", count: columnCount)
            for address in addresses { fields[address.column - 1] = constant(at: address) ?? self[address].fieldText }
            write(CSV.record(fields))
        }
    }
}

extension CellValue {
    /// The value as a field of a file: `="=A1"` for the text `=A1`.
    fileprivate var fieldText: String {
        guard case .text(let text) = self, text.utf8.first == UInt8(ascii: "=") else { return plainText }
        let doubled = text.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
        return "=\"" + String(String.UnicodeScalarView(doubled)) + "\""
    }
}

private func nextRecord(_ reader: inout CSV.Reader, of file: String) throws(InputError) -> [CSV.Field]? {
    do throws(CSV.Malformed) {
        return try reader.next()
    } catch {
        throw InputError(message: "\(file):\(error.line): column \(error.column): \(error.problem)")
    }
}

extension Sheet.Content {
    /// Returns the content. A formula that differs from an earlier one only in its cells shares the earlier one's
    /// program.
    fileprivate func sharingProgram(with programs: inout Set<[Instruction]>) -> Sheet.Content {
        guard case .formula(var formula) = self else { return self }
        formula.program = programs.insert(formula.program).memberAfterInsert
        return .formula(formula)
    }
}

/// Reads a whole file.
func bytes(ofFile path: String) throws(InputError) -> [UInt8] {
    try readFile(path) { InputError(message: "cannot read \(path.quoted()): \($0)") }
}
