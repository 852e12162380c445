"""Driver handles that a pool keeps: what kept_handles.h declares."""

cdef extern from "kept_handles.h":
    struct kept_handles:
        Py_ssize_t references
        int capacity
        bint is_closed
        int idle_count
        int busy_count

    kept_handles *new_kept_handles(int capacity) noexcept
    void let_go_of_kept(kept_handles *kept) noexcept
    void *take_idle(kept_handles *kept) noexcept
    void *take_busy(kept_handles *kept) noexcept
    void *oldest_busy(kept_handles *kept) noexcept
    bint give_back(kept_handles *kept, void *handle, bint busy) noexcept
