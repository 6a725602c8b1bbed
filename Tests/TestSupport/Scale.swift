/// How much work a test does. Sanitizers make everything ten times as slow and as large, so sizes shrink with them:
/// pass `-Xswiftc -DTHREAD_SANITIZER` or `-Xswiftc -DADDRESS_SANITIZER` beside `--sanitize`.
public enum Scale {
    #if THREAD_SANITIZER || ADDRESS_SANITIZER
    public static let isSanitized = true
    #else
    public static let isSanitized = false
    #endif

    /// `full`, or a tenth of it under a sanitizer.
    public static func scaled(_ full: Int) -> Int { isSanitized ? full / 10 : full }
}
