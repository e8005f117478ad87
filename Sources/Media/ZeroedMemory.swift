import CLibAV
import Synchronization

/// While there is one of these, memory comes filled with zeros in the whole process, where the system's
/// allocator can do that (glibc).
///
/// x264 decides a few things by memory that it never wrote. In a process that encodes once that memory is
/// zero; where encoders come and go it holds what others left, and what they write differs from run to run.
/// It costs time in everything that allocates.
package final class ZeroedMemory: Sendable {
    private static let owners = Mutex(0)

    package init() {
        Self.owners.withLock { owners in
            owners += 1
            tw_hand_out_zeros(1)
        }
    }

    deinit {
        Self.owners.withLock { owners in
            owners -= 1
            if owners == 0 {
                tw_hand_out_zeros(0)
            }
        }
    }
}
