#if _pointerBitWidth(_32)
#error("EasyReact is for platforms with 64-bit pointers: its times and words of state have 64 bits")
#endif

/// Ends the process because of a mistake in the calling program, in release builds too. `message` names the mistake and
/// its remedy.
package func misuse(_ message: String) -> Never { fatalError("EasyReact: \(message)") }

/// Ends the process with `message` unless `condition` holds.
@usableFromInline package func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { misuse(message()) }
}
