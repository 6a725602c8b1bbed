#if canImport(Glibc)
import Glibc
#endif

/// Threads that run one at a time hand on several times faster where they share a processor.
///
/// Not where other tests run beside them: threads that are begun there would inherit it.
enum Processor {
    #if canImport(Glibc) && SCHEDULE_FAULTS
    /// One of those that the process may have: not the same one for all processes.
    private static let chosen: Int = {
        var allowed = cpu_set_t()
        _ = getAffinity?(0, MemoryLayout<cpu_set_t>.size, &allowed)
        let processors = withUnsafeBytes(of: allowed) { bytes in
            (0..<8 * bytes.count).filter { bytes[$0 / 8] & 1 << UInt8($0 % 8) != 0 }
        }
        return processors.isEmpty ? 0 : processors[Int(getpid()) % processors.count]
    }()
    // Glibc's module leaves out what is not POSIX.
    private typealias Change = @convention(c) (pid_t, Int, UnsafeMutableRawPointer) -> Int32
    private static let getAffinity = dlsym(nil, "sched_getaffinity").map { unsafeBitCast($0, to: Change.self) }
    private static let setAffinity = dlsym(nil, "sched_setaffinity").map { unsafeBitCast($0, to: Change.self) }
    #endif

    /// Keeps this thread on the one that all controlled threads have. Without faults, or elsewhere than on Linux, it does nothing.
    static func stayOnOne() {
        #if canImport(Glibc) && SCHEDULE_FAULTS
        var set = cpu_set_t()
        withUnsafeMutableBytes(of: &set) { $0[chosen / 8] |= 1 << UInt8(chosen % 8) }
        _ = setAffinity?(0, MemoryLayout<cpu_set_t>.size, &set)
        #endif
    }
    /// Runs `body` there.
    static func onOne<R>(_ body: () throws -> R) rethrows -> R {
        #if canImport(Glibc) && SCHEDULE_FAULTS
        _ = chosen
        var before = cpu_set_t()
        _ = getAffinity?(0, MemoryLayout<cpu_set_t>.size, &before)
        stayOnOne()
        defer { _ = setAffinity?(0, MemoryLayout<cpu_set_t>.size, &before) }
        #endif
        return try body()
    }
}
