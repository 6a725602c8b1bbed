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
package func warn(_ message: String) { Platform.writeError("EasyReact: \(message)\n") }
