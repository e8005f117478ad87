import CMalloc
import Foundation

/// What this program decides for its whole process. The library changes nothing of its host's, so what
/// codecs can be told only that way is told here.
enum OwnProcess {
    /// Keeps SVT-AV1 from writing to stderr by itself. To be called before there are threads.
    static func quietenEncoders() {
        setenv("SVT_LOG", "1", 0)
    }

    /// From now on memory comes filled with zeros, where the system's allocator can do that (glibc).
    ///
    /// x264 decides a few things by memory that it never wrote. In a process that encodes once that memory
    /// is zero; where encoders come and go it holds what others left, and what they write differs from
    /// run to run. It costs time in everything that allocates.
    static func handOutZeros() {
        tw_hand_out_zeros()
    }
}
