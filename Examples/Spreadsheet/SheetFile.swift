import Foundation

extension Sheet {
    /// Reads a sheet from a file of comma-separated values, in which a field that starts with `=` is a formula.
    convenience init(contentsOfFile path: String) throws(InputError) {
        guard let file = fopen(path, "r") else { throw unreadable(path) }
        defer { fclose(file) }
        var content: [UInt8] = []
        var chunk = Array(repeating: UInt8(0), count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { content += chunk.prefix(count) }
        guard ferror(file) == 0 else { throw unreadable(path) }
        try self.init(csv: content, file: path)
    }

    /// `file` is what messages call the text.
    convenience init(csv: [UInt8], file: String) throws(InputError) {
        self.init()
        let records: [[CSV.Field]]
        do throws(CSV.Malformed) {
            records = try CSV.parse(csv)
        } catch {
            throw InputError(message: "\(file):\(error.line): column \(error.column): \(error.problem)")
        }
        let last = CellAddress.last
        guard records.count <= last.row, records.allSatisfy({ $0.count <= last.column }) else {
            throw InputError(message: "\(file): more than \(last.row) rows or \(last.column) columns")
        }
        var edits: [Edit] = []
        for (row, record) in zip(1..., records) {
            extend(to: CellAddress(column: record.count, row: row))
            for (column, field) in zip(1..., record) where !field.text.isEmpty {
                let address = CellAddress(column: column, row: row)
                do throws(FormulaError) {
                    edits.append(Edit(address: address, content: try Content(field.text)))
                } catch {
                    throw InputError(message: "\(file):\(field.line): \(address), \(error)")
                }
            }
        }
        apply(edits)
    }

    /// The computed sheet as comma-separated values, record by record. All have as many fields; numbers have all their
    /// digits; constants stand as they were typed.
    func writeCSV(to write: (String) -> Void) {
        for addresses in filledRows {
            var fields = Array(repeating: "", count: columnCount)
            for address in addresses { fields[address.column - 1] = constant(at: address) ?? self[address].plainText }
            write(CSV.record(fields))
        }
    }
}

/// What the system has just said of a file.
private func unreadable(_ path: String) -> InputError {
    let reason = String(cString: strerror(errno))
    return InputError(message: "cannot read \(path.quoted()): \(reason)")
}
