import CMalloc
import Foundation

/// Settings of the whole process. The library must not change its host process, so settings that codecs take
/// only from the process (environment, allocator) are made here.
enum OwnProcess {
    /// Stops SVT-AV1 from writing to stderr. Call it before threads are started: `setenv` isn't thread-safe.
    static func quietenEncoders() {
        setenv("SVT_LOG", "1", 0)
    }

    /// Makes the allocator fill new memory with zeros from now on, or no longer, if it can (glibc).
    ///
    /// x264 makes a few decisions from memory that it never wrote. In a process that encodes once, that memory
    /// is zero. If several encoders run one after another, it holds leftovers of earlier ones, and the
    /// output differs from run to run. Filling slows down every allocation.
    static func handOutZeros(_ isOn: Bool = true) {
        tw_hand_out_zeros(isOn ? 1 : 0)
    }

    /// Lets the allocator keep little of what was freed (glibc): a server that runs for hours holds what it needs, not the
    /// most that it ever needed. Large frames are allocated a little slower.
    static func keepLittleFreed() {
        tw_keep_little_freed()
    }
}
