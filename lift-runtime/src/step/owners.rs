//! Which rank computes which parts of a simulation, and that all ranks start the same one.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use crate::args::{HostArg, Seen};
use crate::buffer::download;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::launch::Launcher;
use crate::ranks::{Ranks, pack, unpack};
use crate::solve::Sizes;
use crate::spec::KernelSpec;

/// Which rank computes which parts.
#[derive(Debug)]
pub(super) struct Owners {
    pub(super) ranks: Ranks,
    /// The rank of each part, in order, and its share of the rows.
    of: Vec<(usize, f64)>,
    /// The number of this rank's first part.
    first: usize,
    /// Whether the devices of all parts are of one kind.
    is_alike: bool,
}

impl Owners {
    /// All parts are this process's, or each process has all of them.
    pub(super) fn everything(ranks: &Ranks) -> Owners {
        Owners { ranks: ranks.clone(), of: vec![(ranks.rank(), 1.0)], first: 0, is_alike: true }
    }

    /// Each rank computes parts on these devices.
    pub(super) fn new(ranks: &Ranks, devices: &[Device], shares: &[f64]) -> Result<Owners> {
        let mut own: Vec<Vec<u8>> = Vec::new();
        for (i, device) in devices.iter().enumerate() {
            let share = shares.get(i).copied().unwrap_or(1.0);
            own.push(share.to_bits().to_le_bytes().to_vec());
            own.push(format!("{} {}", device.platform(), device.name()).into_bytes());
        }
        let (mut of, mut kinds) = (Vec::new(), Vec::new());
        for (rank, parts) in ranks.gather(pack(&own))?.iter().enumerate() {
            for [share, kind] in unpack(parts).as_chunks::<2>().0 {
                of.push((rank, f64::from_bits(number(share))));
                kinds.push(kind.clone());
            }
        }
        let first = of.iter().position(|(rank, _)| *rank == ranks.rank()).unwrap_or(0);
        let is_alike = kinds.windows(2).all(|pair| pair[0] == pair[1]);
        Ok(Owners { ranks: ranks.clone(), of, first, is_alike })
    }

    /// The same with other shares of the parts that each rank has.
    pub(super) fn with_shares(self, own: &[f64]) -> Result<Owners> {
        let bits = own.iter().flat_map(|share| share.to_bits().to_le_bytes()).collect();
        let all = self.ranks.gather(bits)?;
        let all = all.iter().flat_map(|own| own.as_chunks::<8>().0).map(number).map(f64::from_bits);
        let of = self.of.iter().zip(all).map(|((rank, _), share)| (*rank, share)).collect();
        Ok(Owners { of, ..self })
    }

    /// The share of each part.
    pub(super) fn shares(&self) -> Vec<f64> {
        self.of.iter().map(|(_, share)| *share).collect()
    }

    /// Whether the devices of all parts are of one kind.
    pub(super) fn is_alike(&self) -> bool {
        self.is_alike
    }

    /// How many parts all ranks have together.
    pub(super) fn len(&self) -> usize {
        self.of.len()
    }

    /// The rank that computes a part.
    pub(super) fn of(&self, part: usize) -> usize {
        self.of.get(part).map_or(0, |(rank, _)| *rank)
    }

    /// The parts that are computed here.
    pub(super) fn own(&self) -> Range<usize> {
        let own = self.of.iter().filter(|(rank, _)| *rank == self.ranks.rank()).count();
        self.first..self.first + own
    }

    /// Which of the parts that are computed here a part is.
    pub(super) fn here(&self, part: usize) -> Option<usize> {
        let own = self.own();
        own.contains(&part).then(|| part - own.start)
    }

    /// Whether other ranks have parts of the simulation.
    pub(super) fn is_shared(&self) -> bool {
        self.own().len() < self.len()
    }
}

/// What a rank must have in common with the others.
struct Common {
    what: String,
    value: u64,
    /// Whether the value says something to users.
    is_shown: bool,
}

/// All ranks must start the same simulation.
///
/// # Errors
///
/// [`Error::Ranks`], on all ranks.
pub(super) fn expect_same(
    ranks: &Ranks,
    launcher: &Launcher,
    sizes: &Sizes,
    args: &[HostArg<'_>],
) -> Result<()> {
    if ranks.count() == 1 {
        return Ok(());
    }
    let own = ranks.agree(common(launcher, sizes, args))?;
    let values = own.iter().flat_map(|it| it.value.to_le_bytes()).collect();
    let all = ranks.gather(values)?;
    let of = |rank: usize, i: usize| all.get(rank).and_then(|it| it.get(8 * i..8 * i + 8)).map(number);
    for rank in 1..ranks.count() {
        for (i, Common { what, is_shown, .. }) in own.iter().enumerate() {
            let (first, found) = (of(0, i), of(rank, i));
            if first != found {
                let kernel = &launcher.spec().name;
                let shown = match (is_shown, first, found) {
                    (true, Some(first), Some(found)) => format!(": {found} and {first}"),
                    _ => String::new(),
                };
                let problem = format!("it starts {kernel} with {what} other than rank 0{shown}");
                return Err(Error::Ranks { rank, problem });
            }
        }
    }
    Ok(())
}

fn common(launcher: &Launcher, sizes: &Sizes, args: &[HostArg<'_>]) -> Result<Vec<Common>> {
    let spec: &KernelSpec = launcher.spec();
    let hidden = |what: &str, value: u64| Common { what: what.to_string(), value, is_shown: false };
    // The first is the kernel, after which lists may have different lengths.
    let mut all = vec![hidden("a description", hash(&(&spec.name, &spec.ty)))];
    for (size, value) in spec.sizes.iter().zip(&sizes.values) {
        let value = u64::try_from(*value).unwrap_or(u64::MAX);
        all.push(Common { what: format!("a size {}", size.name), value, is_shown: true });
    }
    let steps = launcher.exchanges().map_or(0, |steps| steps as u64);
    all.push(hidden("an interval of exchanges", steps));
    for (param, arg) in spec.params.iter().zip(args) {
        let value = match arg.see(&param.name)? {
            Seen::Array(bytes) => hash(&bytes),
            Seen::Scalar(value) => hash(&value.bytes()),
            Seen::Device(buffer) => {
                let len = arg.shape().extents.unwrap_or(&[]).iter().product::<usize>() * param.elem.size();
                match arg.device() {
                    Some(device) => hash(&download::<u8>(device, buffer.map(Arc::as_ref), len)?),
                    None => 0,
                }
            }
        };
        all.push(hidden(&format!("a `{}`", param.name), value));
    }
    Ok(all)
}

/// The version of rank 0 on all ranks whose devices have it.
pub(super) fn same_version(ranks: &Ranks, chosen: Launcher) -> Result<Launcher> {
    if ranks.count() == 1 {
        return Ok(chosen);
    }
    let all = ranks.gather(chosen.version().into_bytes())?;
    let first = all.first().map(|version| String::from_utf8_lossy(version));
    Ok(first.and_then(|first| chosen.in_version(&first)).unwrap_or(chosen))
}

fn hash(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn number(bytes: impl AsRef<[u8]>) -> u64 {
    bytes.as_ref().first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
