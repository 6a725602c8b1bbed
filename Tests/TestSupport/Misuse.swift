/// What the library said of a mistake in the calling program, on the way out; nothing where the process ended otherwise.
public func misuse(in standardError: [UInt8]?) -> String {
    let output = String(decoding: standardError ?? [], as: UTF8.self)
    guard let start = output.firstRange(of: "EasyReact: ")?.upperBound else { return "" }
    return String(output[start...].prefix { $0 != "\n" })
}

/// The place that the library named as the caller's when it ended the process, as in `ReactCoreTests/TrapsTests.swift:12`.
/// The line is that of the exit test, because a macro holds the call.
public func placeOfMisuse(in standardError: [UInt8]?) -> String {
    let output = String(decoding: standardError ?? [], as: UTF8.self)
    guard let end = output.firstRange(of: ": Fatal error: EasyReact: ")?.lowerBound else { return "" }
    return String(output[..<end].split(separator: "\n").last ?? "")
}
