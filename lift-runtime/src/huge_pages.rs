//! Huge pages for large arrays.
//!
//! A system gives memory page by page, when each is first used. With pages of 4 KiB that takes longer than most kernels do: to write
//! 64 MB for the first time took 37 ms where one more time took 4. Linux has pages of 2 MiB for those who ask: 7 ms.

/// From so many bytes on: smaller arrays have few whole huge pages.
#[cfg(all(target_os = "linux", not(miri)))]
const WORTH_ASKING: usize = 4 << 20;

/// Asks for huge pages for so many bytes of the program's memory. Only speed depends on it.
#[cfg(all(target_os = "linux", not(miri)))]
pub(crate) fn ask(start: *mut u8, bytes: usize) {
    /// The least that systems of 64 bits have; where pages are larger, the address is refused.
    const PAGE: usize = 4 << 10;
    if bytes < WORTH_ASKING {
        return;
    }
    // Only of pages which are the array's alone.
    let skipped = start.addr().next_multiple_of(PAGE) - start.addr();
    let whole = (bytes - skipped) / PAGE * PAGE;
    // SAFETY: the advice changes no content; a refusal changes nothing at all.
    let _ = unsafe { libc::madvise(start.wrapping_add(skipped).cast(), whole, libc::MADV_HUGEPAGE) };
}

/// Other systems have no such request.
#[cfg(not(all(target_os = "linux", not(miri))))]
pub(crate) fn ask(_start: *mut u8, _bytes: usize) {}
