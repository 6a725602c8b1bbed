#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl  // unproven: nobody has compiled this yet
#endif

#if _pointerBitWidth(_32)
#error("EasyReact is for platforms with 64-bit pointers: its times and words of state have 64 bits")
#endif

/// Ends the process because of a mistake in the calling program, in release builds too. `message` names the mistake and
/// its remedy. The output begins with the place: a public function that can take `file` and `line` passes its caller's.
@usableFromInline package func misuse(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    fatalError("EasyReact: \(message)", file: file, line: line)
}

/// Ends the process with `message` unless `condition` holds. See `misuse` for `file` and `line`.
@usableFromInline package func require(
    _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) {
    if !condition { misuse(message(), file: file, line: line) }
}

/// Writes a line about a likely mistake in the calling program to standard error.
package func warn(_ message: String) {
    var line = "EasyReact: \(message)\n"
    // Not by `stderr`, which Swift takes for a variable that several threads change.
    line.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
}
