//! Memory of the host device: part of the process's own, with a lock that never makes a launch wait.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

use super::Region;
use crate::error::{Error, Result};
use crate::huge_pages;
use crate::scalar::Scalar;
use crate::spec::ScalarType;

/// Arrays start at whole lines of the cache, which are as long as the longest vectors.
const ALIGNMENT: usize = 64;

/// Memory that is read by several commands, or written by one.
#[derive(Debug)]
pub(crate) struct Memory {
    bytes: RwLock<Bytes>,
}

/// Memory while a command reads it.
pub(crate) type Reading<'a> = RwLockReadGuard<'a, Bytes>;

/// Memory while a command writes it.
pub(crate) type Writing<'a> = RwLockWriteGuard<'a, Bytes>;

impl Memory {
    /// So many bytes, all 0.
    pub(crate) fn new(bytes: usize) -> Result<Memory> {
        let bytes = Bytes::new(bytes).ok_or(Error::OutOfHostMemory { bytes })?;
        Ok(Memory { bytes: RwLock::new(bytes) })
    }

    /// So many bytes of elements, more than none and all 0, which can become a vector.
    pub(crate) fn for_vector(elem: ScalarType, bytes: usize) -> Result<Memory> {
        let memory = Bytes::for_vector(elem, bytes).ok_or(Error::OutOfHostMemory { bytes })?;
        Ok(Memory { bytes: RwLock::new(memory) })
    }

    /// The elements as a vector, without a copy, if the memory was made for one of so many elements of this type.
    pub(crate) fn into_vector<T: Scalar>(self, len: usize) -> std::result::Result<Vec<T>, Memory> {
        let bytes = self.bytes.into_inner().unwrap_or_else(PoisonError::into_inner);
        bytes.into_vector(len).map_err(|bytes| Memory { bytes: RwLock::new(bytes) })
    }

    /// The content for a command that reads it; nothing while another one writes it.
    pub(crate) fn try_read(&self) -> Option<Reading<'_>> {
        match self.bytes.try_read() {
            Ok(bytes) => Some(bytes),
            // Any bytes are a valid content.
            Err(TryLockError::Poisoned(bytes)) => Some(bytes.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// The content for a command that writes it; nothing while another one uses it.
    pub(crate) fn try_write(&self) -> Option<Writing<'_>> {
        match self.bytes.try_write() {
            Ok(bytes) => Some(bytes),
            Err(TryLockError::Poisoned(bytes)) => Some(bytes.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// The content for a moment, with nothing else locked meanwhile and no foreign code called.
    pub(crate) fn read(&self) -> Reading<'_> {
        self.bytes.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same, to be changed.
    pub(crate) fn write(&self) -> Writing<'_> {
        self.bytes.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Copies `data` to where `offset` says.
    pub(crate) fn fill_from(&self, offset: usize, data: &[u8]) -> Result<()> {
        let mut bytes = self.write();
        piece(offset, data.len()).and_then(|at| bytes.get_mut(at)).ok_or_else(outside)?.copy_from_slice(data);
        Ok(())
    }

    /// Writes zeros to the first so many bytes.
    pub(crate) fn zero(&self, bytes: usize) -> Result<()> {
        self.write().get_mut(..bytes).ok_or_else(outside)?.fill(0);
        Ok(())
    }

    /// Copies a region of another memory.
    pub(crate) fn copy_from(&self, from: &Memory, region: Region) -> Result<()> {
        let (Some(from), Some(mut to)) = (from.try_read(), self.try_write()) else { return Err(in_use()) };
        for (source, target) in region.pieces() {
            let source = piece(source, region.bytes).and_then(|at| from.get(at)).ok_or_else(outside)?;
            let target = piece(target, region.bytes).and_then(|at| to.get_mut(at)).ok_or_else(outside)?;
            target.copy_from_slice(source);
        }
        Ok(())
    }

    /// Copies so many bytes from `offset` on to `target`.
    ///
    /// # Safety
    ///
    /// `target` must be valid for writes of `bytes` bytes.
    pub(crate) unsafe fn copy_to(&self, offset: usize, target: *mut u8, bytes: usize) -> Result<()> {
        let content = self.read();
        let part = content.get(offset..).and_then(|rest| rest.get(..bytes)).ok_or_else(outside)?;
        // SAFETY: `part` has so many bytes, and the caller promises that `target` has; it is no part of this memory, which
        // nobody else has the address of.
        unsafe { part.as_ptr().copy_to_nonoverlapping(target, bytes) };
        Ok(())
    }
}

/// So many bytes from an offset on.
fn piece(offset: usize, bytes: usize) -> Option<Range<usize>> {
    Some(offset..offset.checked_add(bytes)?)
}

/// The error for a range that a memory does not have.
fn outside() -> Error {
    Error::Memory { kernel: None, problem: "a range lies outside of an array's memory" }
}

/// The error for memory that two commands would use, one of which writes it.
pub(crate) fn in_use() -> Error {
    Error::Memory { kernel: None, problem: "it writes an array that is used at the same time" }
}

/// Zeroed bytes at an address that is a multiple of [`ALIGNMENT`].
#[derive(Debug)]
pub(crate) struct Bytes {
    /// What was allocated.
    whole: NonNull<u8>,
    layout: Layout,
    /// Where the bytes start in that.
    start: usize,
    len: usize,
}

impl Bytes {
    /// None if there is no memory for them.
    fn new(len: usize) -> Option<Bytes> {
        // A larger alignment would make the allocator write the zeros itself, to pages that the system gives zeroed when they
        // are first used.
        let layout = Layout::from_size_align(len.checked_add(ALIGNMENT)?, 16).ok()?;
        // SAFETY: the size is not zero.
        let whole = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        huge_pages::ask(whole.as_ptr(), layout.size());
        let start = whole.addr().get().next_multiple_of(ALIGNMENT) - whole.addr().get();
        Some(Bytes { whole, layout, start, len })
    }

    /// The same as a vector of such elements has them, without bytes before. None for no bytes as well.
    fn for_vector(elem: ScalarType, bytes: usize) -> Option<Bytes> {
        if bytes == 0 {
            return None;
        }
        let layout = Layout::from_size_align(bytes, elem.size()).ok()?;
        // SAFETY: the size is not zero.
        let whole = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        huge_pages::ask(whole.as_ptr(), bytes);
        Some(Bytes { whole, layout, start: 0, len: bytes })
    }

    /// The vector that they can be, or themselves.
    fn into_vector<T: Scalar>(self, len: usize) -> std::result::Result<Vec<T>, Bytes> {
        let is_vector = Layout::array::<T>(len) == Ok(self.layout) && self.start == 0 && len > 0;
        if !(is_vector && T::ANY_BYTES) {
            return Err(self);
        }
        let bytes = ManuallyDrop::new(self);
        // SAFETY: they were allocated with the layout of a vector of `len` elements that has no room for more, all are
        // initialised, and any bytes are a value of this type. Nobody else has them from here on.
        Ok(unsafe { Vec::from_raw_parts(bytes.whole.as_ptr().cast(), len, len) })
    }

    fn start(&self) -> NonNull<u8> {
        // SAFETY: `start` and `len` together are at most what was allocated.
        unsafe { self.whole.add(self.start) }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: `len` bytes from there on were allocated and initialised with 0; they live as long as `self`.
        unsafe { std::slice::from_raw_parts(self.start().as_ptr(), self.len) }
    }
}

impl DerefMut for Bytes {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and `self` is the only one who has them.
        unsafe { std::slice::from_raw_parts_mut(self.start().as_ptr(), self.len) }
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout.
        unsafe { dealloc(self.whole.as_ptr(), self.layout) };
    }
}

// SAFETY: it owns its bytes, like a vector.
unsafe impl Send for Bytes {}
// SAFETY: as above; whoever shares it only reads.
unsafe impl Sync for Bytes {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_zeroed_and_aligned() {
        for len in [0, 1, 63, 64, 1000, 1 << 20] {
            let memory = Memory::new(len).unwrap();
            let bytes = memory.read();
            assert_eq!((bytes.len(), bytes.as_ptr().addr() % ALIGNMENT), (len, 0));
            assert!(bytes.iter().all(|byte| *byte == 0));
        }
        assert!(matches!(Memory::new(usize::MAX), Err(Error::OutOfHostMemory { .. })));
        assert!(matches!(Memory::new(isize::MAX as usize - 100), Err(Error::OutOfHostMemory { .. })));
    }

    #[test]
    fn memory_for_a_vector_becomes_one_without_a_copy() {
        for len in [1, 63, 1000, 3 << 20] {
            let memory = Memory::for_vector(ScalarType::F32, 4 * len).unwrap();
            let (bytes, address) = (memory.read().len(), memory.read().as_ptr().addr());
            memory.fill_from(0, &1.5_f32.to_ne_bytes()).unwrap();
            // Neither another type nor another length.
            let memory = memory.into_vector::<u8>(bytes).unwrap_err();
            let memory = memory.into_vector::<i32>(len - 1).unwrap_err();
            let vector = memory.into_vector::<f32>(len).unwrap();
            assert_eq!((vector.as_ptr().addr(), vector.len(), bytes), (address, len, 4 * len));
            assert!(vector[0] == 1.5 && vector[1..].iter().all(|element| *element == 0.0));
        }
        // Not any byte is a `bool`, and other memory has bytes before its content.
        Memory::for_vector(ScalarType::Bool, 8).unwrap().into_vector::<bool>(8).unwrap_err();
        Memory::new(8).unwrap().into_vector::<u8>(8).unwrap_err();
        assert!(matches!(
            Memory::for_vector(ScalarType::F64, usize::MAX),
            Err(Error::OutOfHostMemory { .. })
        ));
    }

    #[test]
    fn ranges_are_checked() {
        let (one, other) = (Memory::new(8).unwrap(), Memory::new(4).unwrap());
        one.fill_from(0, &[1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
        one.fill_from(0, &[0; 9]).unwrap_err();
        one.fill_from(8, &[0]).unwrap_err();
        one.fill_from(usize::MAX, &[0]).unwrap_err();
        other.copy_from(&one, Region::first(4)).unwrap();
        other.copy_from(&one, Region::first(5)).unwrap_err();
        one.copy_from(&other, Region::first(5)).unwrap_err();
        one.zero(2).unwrap();
        one.zero(9).unwrap_err();
        let mut found = [9; 6];
        // SAFETY: there are six bytes.
        let mut read = |offset, bytes| unsafe { one.copy_to(offset, found.as_mut_ptr(), bytes) };
        read(0, 6).unwrap();
        read(3, 6).unwrap_err();
        read(usize::MAX, 1).unwrap_err();
        assert_eq!(found, [0, 0, 3, 4, 5, 6]);
        assert_eq!(**other.read(), [1, 2, 3, 4]);
    }

    #[test]
    fn conflicts_are_errors() {
        let (one, other) = (Memory::new(8).unwrap(), Memory::new(8).unwrap());
        let reading = one.try_read().unwrap();
        assert!(one.try_read().is_some() && one.try_write().is_none());
        assert_eq!(one.copy_from(&other, Region::first(8)), Err(in_use()));
        other.copy_from(&one, Region::first(8)).unwrap();
        drop(reading);
        let writing = one.try_write().unwrap();
        assert!(one.try_read().is_none() && one.try_write().is_none());
        drop(writing);
        // Nothing is broken where a command was given up.
        let given_up = || {
            let _writing = one.try_write();
            panic!("given up");
        };
        assert!(std::thread::scope(|scope| scope.spawn(given_up).join()).is_err());
        assert!(one.try_read().is_some());
        assert!(one.try_write().is_some());
        assert_eq!(one.read().len(), 8);
    }
}
