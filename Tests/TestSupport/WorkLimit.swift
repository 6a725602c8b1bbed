import Foundation

/// Turns work that grows too fast into a failure: the process ends once it has used so many more seconds of its processors
/// than when this was called. What others run meanwhile does not count.
///
/// For use in an exit test, with sizes at which what is right needs a hundredth of that, and what is wrong a multiple.
///
/// `sizes`: Those that the test goes by.
public func limitWork(toSeconds seconds: Int = 4, at sizes: Scale.Sizes = Scale.usual) {
    let used = Int(clock()) / Int(CLOCKS_PER_SEC)
    // Full sizes are four times as large, and more; what grows too fast then takes sixteen times as long.
    let end = rlim_t(used + 1 + (Scale.isSanitized ? 15 : 1) * (sizes.isSmall ? 1 : 4) * seconds)
    var limit = rlimit(rlim_cur: end, rlim_max: end + 1)
    #if canImport(Glibc)
    let result = setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
    #else
    let result = setrlimit(RLIMIT_CPU, &limit)
    #endif
    precondition(result == 0, "the system does not limit what a process may use")
}
