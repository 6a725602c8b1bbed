import Foundation

/// Reads a whole file. It may be a pipe, of which `Data(contentsOf:)` says that there is no permission to read it.
///
/// - Parameters:
///   - path: The path of the file.
///   - failure: Makes the error, from the system's reason.
/// - Returns: The bytes of the file.
/// - Throws: The error that `failure` makes, if the file cannot be read to its end.
package func readFile<Failure>(_ path: String, failure: (_ reason: String) -> Failure) throws(Failure) -> [UInt8] {
    guard let file = fopen(path, "r") else { throw failure(String(cString: strerror(errno))) }
    defer { fclose(file) }
    var content: [UInt8] = []
    var chunk = Array(repeating: UInt8(0), count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { content += chunk.prefix(count) }
    guard ferror(file) == 0 else { throw failure(String(cString: strerror(errno))) }
    return content
}
