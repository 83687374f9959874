//! Built programs on disk, for drivers that keep none themselves.
//!
//! An entry is a file that is named by a hash of everything a build depends on. It says once more what it was built from, and carries a
//! checksum. One that was cut off, damaged or put there by somebody else is removed; the program is then built from its text, and written
//! again. Entries are written under another name and renamed, and processes that run at the same time see whole ones.
//! Nothing here is an error: what goes wrong costs a build.

use std::ffi::{CStr, OsString};
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use crate::backend::opencl;
use crate::device::Device;

/// Beyond so many entries, or bytes in all of them, those that were not used for longest are removed.
const ENTRIES: usize = 512;
const BYTES: u64 = 1 << 28;

/// Digits of the hash that entries are named by, and of a checksum with the end of its line.
const NAME: usize = 32;
const CHECKSUM: usize = 17;

/// The folder for entries: the system's place for what can be made again.
pub(crate) fn folder() -> Option<PathBuf> {
    folder_on(std::env::consts::OS, |name| std::env::var_os(name))
}

fn folder_on(os: &str, variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    // A relative path would be a folder in wherever the program is started.
    let path = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let in_home = |folder: &str| path("HOME").map(|home| home.join(folder));
    let caches = match os {
        "windows" => path("LOCALAPPDATA"),
        "macos" => in_home("Library/Caches"),
        _ => path("XDG_CACHE_HOME").or_else(|| in_home(".cache")),
    };
    Some(caches?.join("lift-kernels"))
}

/// The place of one built program.
pub(crate) struct Entry {
    file: PathBuf,
    /// What stands before the checksum and the program in the file.
    header: String,
}

impl Entry {
    pub(crate) fn new(folder: &Path, device: &Device, source: &str, options: &CStr) -> Entry {
        let processor = if device.is_gpu() { "" } else { processor() };
        let material = (device.identity(), processor, options, source);
        let key = format!("{:016x}{:016x}", hash(1, &material), hash(2, &material));
        let header = format!("lift-kernels 1\n{key}\n{} {}\n", options.count_bytes(), source.len());
        Entry { file: folder.join(key), header }
    }

    /// The program that an earlier process has left, built.
    pub(crate) fn program(&self, device: &Device, options: &CStr) -> Option<opencl::Program> {
        let (context, id) = (device.context().ok()?.opencl().ok()?, device.id().opencl().ok()?);
        let bytes = fs::read(&self.file).ok()?;
        let program = self.binary(&bytes).and_then(|binary| {
            // SAFETY: this driver made it for this device: the entry says so, its checksum is right, and the folder is the user's own.
            let program = unsafe { opencl::Program::from_binary(context, id, binary) };
            program.ok().filter(|program| program.build(id, options).is_ok())
        });
        if program.is_some() {
            // What is used stays.
            let _ = File::options()
                .append(true)
                .open(&self.file)
                .and_then(|it| it.set_modified(SystemTime::now()));
        } else {
            self.remove();
        }
        program
    }

    /// The program in an entry, if it is whole and this one.
    fn binary<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let (sum, binary) = bytes.strip_prefix(self.header.as_bytes())?.split_at_checked(CHECKSUM)?;
        (sum == checksum(binary).as_bytes()).then_some(binary)
    }

    /// Writes a program that was built.
    pub(crate) fn keep(&self, program: &opencl::Program) {
        if let Some(binary) = program.binary() {
            self.write(&binary);
        }
    }

    fn write(&self, binary: &[u8]) {
        static WRITTEN: AtomicUsize = AtomicUsize::new(0);
        let Some(folder) = self.file.parent() else { return };
        let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
        let other = self.file.with_extension(format!("{}-{number}", std::process::id()));
        let bytes = [self.header.as_bytes(), checksum(binary).as_bytes(), binary].concat();
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&other, bytes));
        if written.and_then(|()| fs::rename(&other, &self.file)).is_err() {
            let _ = fs::remove_file(&other);
        }
        forget(folder, ENTRIES, BYTES);
    }

    pub(crate) fn remove(&self) {
        let _ = fs::remove_file(&self.file);
    }
}

/// Removes what was not used for longest until there are no more entries and bytes than that. What an interrupted process has left under another
/// name counts, too, and files with names of other kinds do not.
fn forget(folder: &Path, most_entries: usize, most_bytes: u64) {
    let is_own = |name: OsString| {
        let name = name.to_string_lossy();
        name.len() >= NAME && name.bytes().take(NAME).all(|digit| digit.is_ascii_hexdigit())
    };
    let described = |file: fs::DirEntry| {
        let metadata = file.metadata().ok().filter(|it| it.is_file() && is_own(file.file_name()))?;
        Some((metadata.modified().ok()?, metadata.len(), file.path()))
    };
    let mut files: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().flatten().filter_map(described).collect();
    files.sort();
    let mut bytes: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
    for (i, (_, own, file)) in files.iter().enumerate() {
        if files.len() - i <= most_entries && bytes <= most_bytes {
            return;
        }
        let _ = fs::remove_file(file);
        bytes -= own;
    }
}

/// What instructions this processor has, where the system says so: processors with one name may differ in that, and share a folder.
fn processor() -> &'static str {
    static FLAGS: OnceLock<String> = OnceLock::new();
    FLAGS.get_or_init(|| {
        let lines = File::open("/proc/cpuinfo").map(|file| BufReader::new(file).lines());
        let is_flags = |line: &String| line.starts_with("flags") || line.starts_with("Features");
        lines.into_iter().flatten().map_while(Result::ok).find(is_flags).unwrap_or_default()
    })
}

fn checksum(binary: &[u8]) -> String {
    format!("{:016x}\n", hash(0, binary))
}

fn hash(seed: u64, what: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    seed.hash(&mut hasher);
    what.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow::Borrowed;
    use std::ffi::CString;
    use std::time::Duration;

    use crate::backend::CommandQueue;
    use crate::built::Code;
    use crate::program;
    use crate::spec::{Geometry, KernelSpec, Launch, List, Operation, Size, Source, Variant};

    static SPEC: KernelSpec = KernelSpec { name: Borrowed("Number"), ..KernelSpec::INVALID };
    const OPERATIONS: List<Operation> = Borrowed(&[Operation::Launch(Launch {
        entry: Borrowed("number"),
        args: Borrowed(&[]),
        geometry: Geometry::Items(Borrowed(&[])),
        local_bytes: Size::Const(0),
    })]);
    const TEXT: &str = "kernel void number(global int *out) { out[0] = NUMBER; }";
    static NUMBER: Variant = Variant {
        source: Source { text: Borrowed(TEXT), is_packed: false },
        operations: OPERATIONS,
        ..Variant::NAIVE
    };
    static TWICE: Variant = Variant {
        source: Source {
            text: Borrowed("kernel void number(global int *out) { out[0] = 2 * NUMBER; }"),
            is_packed: false,
        },
        operations: OPERATIONS,
        ..Variant::NAIVE
    };

    /// A folder of its own for each test.
    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str) -> Folder {
            let folder = std::env::temp_dir().join(format!("lift-binaries-{test}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&folder);
            Folder(folder)
        }

        fn files(&self) -> Vec<PathBuf> {
            fs::read_dir(&self.0).into_iter().flatten().map(|file| file.unwrap().path()).collect()
        }

        /// The place of `NUMBER` with this number.
        fn entry(&self, number: i32) -> Entry {
            Entry::new(&self.0, &device(), TEXT, &CString::new(options(number)).unwrap())
        }

        /// What a new process computes.
        fn run(&self, variant: &'static Variant, number: i32) -> i32 {
            run(&device().anew(self.0.clone()), variant, number)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn device() -> Device {
        let found = crate::drivers::devices().expect("tests need an OpenCL device, such as PoCL");
        found.into_iter().next().unwrap()
    }

    fn options(number: i32) -> String {
        format!("-cl-std=CL1.2 -D NUMBER={number}")
    }

    fn run(device: &Device, variant: &'static Variant, number: i32) -> i32 {
        let built = program::build(device, &SPEC, variant, &options(number)).unwrap();
        let Code::OpenCl(kernel) = &built.entry("number").unwrap().code else { panic!("it is on the host") };
        let kernel = kernel.lock().unwrap();
        let queue = CommandQueue::new(device.context().unwrap(), device.id(), false).unwrap();
        let memory = device.memory(4).unwrap();
        kernel.set_memory(0, memory.opencl().unwrap()).unwrap();
        let mut out = [0; 4];
        // SAFETY: the one argument is set, and `out` has four bytes.
        unsafe {
            queue.launch(&kernel, &[1], &[1], &[]).unwrap();
            queue.read(&memory, 0, out.as_mut_ptr().cast(), 4, &[]).unwrap();
        }
        i32::from_ne_bytes(out)
    }

    #[test]
    fn a_program_is_built_once() {
        let folder = Folder::new("once");
        assert_eq!(folder.run(&NUMBER, 3), 3);
        let file = folder.entry(3).file;
        assert_eq!(folder.files(), std::slice::from_ref(&file));
        let first = fs::read(&file).unwrap();
        assert_eq!(folder.run(&NUMBER, 3), 3);
        assert_eq!((folder.files(), fs::read(&file).unwrap()), (vec![file], first));

        // What runs is what is in the entry: here, it is another number's.
        assert_eq!(folder.run(&NUMBER, 4), 4);
        let other = fs::read(folder.entry(4).file).unwrap();
        folder.entry(3).write(folder.entry(4).binary(&other).unwrap());
        assert_eq!(folder.run(&NUMBER, 3), 4);
    }

    #[test]
    fn other_texts_and_options_have_other_entries() {
        let folder = Folder::new("others");
        for (count, (variant, number, expected)) in
            [(&NUMBER, 3, 3), (&NUMBER, 4, 4), (&TWICE, 3, 6), (&TWICE, 4, 8)].into_iter().enumerate()
        {
            assert_eq!(folder.run(variant, number), expected);
            assert_eq!(folder.files().len(), count + 1);
        }
        // Where one ends and the next begins counts.
        let key = |source, options: &CStr| Entry::new(&folder.0, &device(), source, options).file;
        assert_ne!(key("bc", c"a"), key("c", c"ab"));
    }

    #[test]
    fn what_is_broken_is_built_again() {
        let folder = Folder::new("broken");
        assert_eq!(folder.run(&NUMBER, 3) + folder.run(&NUMBER, 4), 7);
        let (entry, other) = (folder.entry(3), fs::read(folder.entry(4).file).unwrap());
        let whole = fs::read(&entry.file).unwrap();
        let mut changed = whole.clone();
        *changed.last_mut().unwrap() ^= 1;
        let (header, half) = (&whole[..entry.header.len()], &whole[..whole.len() / 2]);
        let longer = [&whole[..], b"more"].concat();
        for bytes in [b"", &b"something else"[..], &other, header, half, &changed, &longer] {
            fs::write(&entry.file, bytes).unwrap();
            assert_eq!(folder.run(&NUMBER, 3), 3);
            assert!(entry.binary(&fs::read(&entry.file).unwrap()).is_some());
            assert_eq!(folder.files().len(), 2);
        }
        // The driver refuses what it has not made.
        entry.write(b"no program");
        assert_eq!(folder.run(&NUMBER, 3), 3);
        assert_ne!(entry.binary(&fs::read(&entry.file).unwrap()).unwrap(), b"no program");
        // A program without the function is none.
        let nothing =
            opencl::Program::new(device().context().unwrap().opencl().unwrap(), "kernel void nothing() {}")
                .unwrap();
        nothing.build(device().id().opencl().unwrap(), c"").unwrap();
        entry.keep(&nothing);
        let empty = fs::read(&entry.file).unwrap();
        assert_eq!(folder.run(&NUMBER, 3), 3);
        assert_ne!(fs::read(&entry.file).unwrap(), empty);
    }

    #[test]
    fn folders_that_cannot_be_used_do_not_matter() {
        let folder = Folder::new("unusable");
        fs::write(&folder.0, "a file").unwrap();
        assert_eq!(folder.run(&NUMBER, 3), 3);
        assert_eq!(fs::read(&folder.0).unwrap(), b"a file");
        fs::remove_file(&folder.0).unwrap();
        // So is an entry that is a folder, and a folder in one that does not exist.
        fs::create_dir_all(folder.entry(3).file.join("more")).unwrap();
        assert_eq!(folder.run(&NUMBER, 3), 3);
        assert_eq!(folder.files().len(), 1);
        let deep = device().anew(folder.0.join("a/b"));
        assert_eq!(run(&deep, &NUMBER, 5), 5);
        assert_eq!(fs::read_dir(folder.0.join("a/b")).unwrap().count(), 1);
    }

    #[test]
    fn mistakes_are_reported_and_not_kept() {
        let folder = Folder::new("mistakes");
        let device = device().anew(folder.0.clone());
        for _ in 0..2 {
            let error = program::build(&device, &SPEC, &NUMBER, "-D NUMBER=missing").err().unwrap();
            assert!(matches!(error, crate::Error::Build { .. }), "{error}");
        }
        assert_eq!(folder.files().len(), 0);
    }

    #[test]
    fn several_may_build_at_once() {
        let folder = Folder::new("several");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for round in 0..6 {
                        assert_eq!(folder.run(&NUMBER, round % 3), round % 3);
                    }
                });
            }
        });
        assert_eq!(folder.files().len(), 3);
        for number in 0..3 {
            let entry = folder.entry(number);
            assert!(entry.binary(&fs::read(&entry.file).unwrap()).is_some());
        }
    }

    #[test]
    fn what_was_not_used_for_longest_goes() {
        let folder = Folder::new("oldest");
        let start = SystemTime::now() - Duration::from_secs(1000);
        let age = |entry: &Entry, seconds| {
            let file = File::options().append(true).open(&entry.file).unwrap();
            file.set_modified(start + Duration::from_secs(seconds)).unwrap();
        };
        let is_there = || [3, 4, 5, 6].map(|number| folder.entry(number).file.exists());
        for number in [3, 4, 5, 6] {
            folder.entry(number).write(&[0; 100]);
            age(&folder.entry(number), number as u64);
        }
        fs::write(folder.0.join("somebody else's"), [0; 10_000]).unwrap();
        let each = fs::metadata(&folder.entry(3).file).unwrap().len();
        forget(&folder.0, 4, 4 * each);
        assert_eq!(is_there(), [true; 4]);
        age(&folder.entry(3), 7);
        forget(&folder.0, 3, 4 * each);
        assert_eq!(is_there(), [true, false, true, true]);
        forget(&folder.0, 3, 2 * each);
        assert_eq!(is_there(), [true, false, false, true]);
        assert!(folder.0.join("somebody else's").exists());

        // Use makes young.
        assert_eq!(folder.run(&NUMBER, 9), 9);
        age(&folder.entry(9), 0);
        assert_eq!(folder.run(&NUMBER, 9), 9);
        forget(&folder.0, 1, BYTES);
        assert!(folder.entry(9).file.exists());
        assert_eq!(folder.files().len(), 2);
    }

    #[test]
    fn every_system_has_its_folder() {
        let set = |variables: &'static [(&str, &str)]| {
            move |name: &str| {
                variables
                    .iter()
                    .find(|(variable, _)| *variable == name)
                    .map(|(_, value)| OsString::from(value))
            }
        };
        let home = set(&[("HOME", "/home/me"), ("LOCALAPPDATA", "/data")]);
        let path = |path: &str| Some(PathBuf::from(path));
        // Paths of this system are absolute here alone.
        if cfg!(unix) {
            assert_eq!(folder_on("linux", home), path("/home/me/.cache/lift-kernels"));
            assert_eq!(folder_on("macos", home), path("/home/me/Library/Caches/lift-kernels"));
            assert_eq!(folder_on("windows", home), path("/data/lift-kernels"));
            let moved = set(&[("HOME", "/home/me"), ("XDG_CACHE_HOME", "/caches")]);
            assert_eq!(folder_on("linux", moved), path("/caches/lift-kernels"));
            let relative = set(&[("HOME", "/home/me"), ("XDG_CACHE_HOME", "caches")]);
            assert_eq!(folder_on("linux", relative), path("/home/me/.cache/lift-kernels"));
        }
        for os in ["linux", "macos", "windows"] {
            assert_eq!(folder_on(os, set(&[("HOME", ""), ("LOCALAPPDATA", "")])), None);
            assert_eq!(folder_on(os, set(&[])), None);
        }
    }
}
