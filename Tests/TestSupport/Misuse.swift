/// What the library said of a mistake in the calling program, on the way out; nothing where the process ended otherwise.
public func misuse(in standardError: [UInt8]?) -> String {
    let output = String(decoding: standardError ?? [], as: UTF8.self)
    guard let start = output.firstRange(of: "EasyReact: ")?.upperBound else { return "" }
    return String(output[start...].prefix { $0 != "\n" })
}
