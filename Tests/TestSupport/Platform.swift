public enum Platform {
    /// Whether a task can begin on the thread that makes it: on Apple's platforms from the releases of 2025 on.
    public static var startsTasksAtOnce: Bool {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { true } else { false }
    }
}
