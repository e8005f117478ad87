import DequeModule
import Foundation

/// A queue between two stages that makes the faster one wait.
///
/// The capacity is a cost, bytes most often: a stage ahead stops when what it has handed over and
/// nobody has taken yet costs more than that. One element is always let through.
// @unchecked: every stored property is read and written with `condition` locked.
final class BoundedChannel<Element: Sendable>: @unchecked Sendable, Abortable {
    private let condition = NSCondition()
    private var queue = Deque<(element: Element, cost: Int)>()
    private var queuedCost = 0
    private let capacity: Int
    private var isFinished = false
    private var isAborted = false

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Hands over an element, after waiting for room.
    ///
    /// - Throws: ``RenderAborted`` when the render was cancelled or failed elsewhere.
    func send(_ element: Element, cost: Int = 1) throws {
        condition.lock()
        defer { condition.unlock() }
        while !isAborted && !queue.isEmpty && queuedCost + cost > capacity {
            condition.wait()
        }
        guard !isAborted else {
            throw RenderAborted()
        }
        queue.append((element, cost))
        queuedCost += cost
        condition.broadcast()
    }

    /// The next element, after waiting for one; nil when the sender has finished.
    ///
    /// - Throws: ``RenderAborted`` when the render was cancelled or failed elsewhere.
    func receive() throws -> Element? {
        condition.lock()
        defer { condition.unlock() }
        while !isAborted && queue.isEmpty && !isFinished {
            condition.wait()
        }
        guard !isAborted else {
            throw RenderAborted()
        }
        guard let (element, cost) = queue.popFirst() else {
            return nil
        }
        queuedCost -= cost
        condition.broadcast()
        return element
    }

    /// Says that nothing more comes.
    func finish() {
        condition.lock()
        isFinished = true
        condition.broadcast()
        condition.unlock()
    }

    func abort() {
        condition.lock()
        isAborted = true
        queue.removeAll()
        queuedCost = 0
        condition.broadcast()
        condition.unlock()
    }
}

/// Something that stages wait on, and that must let go of them when the render ends early.
protocol Abortable: AnyObject, Sendable {
    func abort()
}

/// Thrown inside stages that stop because of another; never reaches the caller.
struct RenderAborted: Error {}
