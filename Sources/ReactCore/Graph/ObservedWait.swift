/// A wait for a region that another thread owns, as an observer learns of it.
package struct ObservedWait {
    /// The time at which the wait began, in nanoseconds.
    package let began: UInt64
    /// The number of the thread that owned the region then; 0 if late work did, or if the thread has ended.
    package let owner: UInt64
    /// The serial number of the edge that that thread called, or of the vertex whose join fired; 0 if there was none.
    package let calling: UInt
    /// True if the wait was in vain.
    package var isLate = false
}
