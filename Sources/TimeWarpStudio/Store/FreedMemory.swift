import CMalloc

/// Memory that was freed, which the allocator keeps for the next use. A studio runs for hours, and its next use may need little.
enum FreedMemory {
    /// Gives it back to the system, after work that has used much. It takes some milliseconds.
    static func giveBack() {
        tw_give_back_freed()
    }
}
