import DequeModule
import Foundation

/// A queue between two stages that makes the faster stage wait.
///
/// The capacity is a cost, usually bytes. The sender waits while the cost of the waiting elements would exceed
/// the capacity. An element that is larger than the capacity is still accepted when the queue is empty.
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

    /// Adds an element after waiting for room.
    ///
    /// - Throws: ``RenderAborted`` if the render was cancelled or failed elsewhere.
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

    /// Waits for the next element and returns it; nil when the sender has finished.
    ///
    /// - Throws: ``RenderAborted`` if the render was cancelled or failed elsewhere.
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

    /// Marks the end of the elements.
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

/// Something on which stages wait, and which can end their waiting when the render ends early.
protocol Abortable: AnyObject, Sendable {
    func abort()
}

/// Thrown in stages that stop because another one failed. It never reaches the caller.
struct RenderAborted: Error {}
