//! Looking for the fastest version of a kernel, on PoCL and on the CPU without OpenCL.

use std::path::PathBuf;

use lift::ndarray::Array2;
use lift::prelude::*;
use lift::tune::{Measurement, TuneFile};
use lift::{Error, Kernel, Tuning};

lift!(
    #[kernel]
    pub fn Mean<H, W>(image: [[f32; W]; H]) -> [[f32; W]; H] {
        image.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w.join().reduce(add, 0.0) / 9.0)
    }

    /// Shifts in place, and counts.
    #[kernel]
    pub fn Shift<N>(xs: &mut [i32; N]) -> i32 {
        write_to(xs, xs.pad(1, 0, wrap).take(N));
        xs.reduce(add, 0)
    }
);

/// A folder that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("lift-tests-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn image() -> Array2<f32> {
    Array2::from_shape_fn((37, 70), |(row, col)| ((row * 7 + col * 3) % 11) as f32)
}

/// The first device of OpenCL, and the CPU without it.
fn devices() -> [Device; 2] {
    let all = Device::all().unwrap();
    assert!(all.len() > 1, "there is no device of OpenCL");
    [all[0].clone(), Device::cpu()]
}

#[test]
fn the_fastest_version_is_found_and_right() -> lift::Result<()> {
    for device in devices() {
        let (mean, image) = (Mean::on(&device)?, image());
        let found = mean.tune(&Tuning::new().trials(6), &image)?;
        let report = found.report();
        assert!((1..=6).contains(&report.rows.len()), "{found}");
        assert!(found.time().is_some_and(|time| !time.is_zero()), "{found}");
        // What is faster than everything else was measured again, beside what a launch takes without tuning.
        assert!(report.best().is_some_and(|best| best.again.is_some()), "{found}");
        assert!(report.untuned.is_some_and(|untuned| report.rows[untuned].again.is_some()), "{found}");
        assert!(found.time() <= found.untuned_time());
        let fastest = found.apply(&mean)?;
        assert_eq!(fastest.selected(), found.best().map(|(version, _)| version));
        let (result, expected) = (fastest.run(&image)?, mean.run(&image)?);
        assert!(result.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-4));
        let text = found.to_string();
        assert!(text.starts_with("Mean at H = 37, W = 70 on "), "{text}");
        assert!(text.contains("(without tuning)"), "{text}");
    }
    Ok(())
}

/// What was measured is not measured again, also by a process that is started later.
#[test]
fn a_second_run_goes_on_where_the_first_one_stopped() -> lift::Result<()> {
    let (folder, mean, image) = (Folder::new("resume"), Mean::on(&devices()[0])?, image());
    let tuning = Tuning::new().journal(folder.0.join("more/journal"));
    let first = mean.tune(&tuning.clone().trials(2), &image)?;
    assert_eq!(first.report().rows.len(), 2);
    let second = mean.tune(&tuning.clone().trials(2), &image)?;
    assert_eq!(second.report().rows.len(), 4);
    let times = |row: &lift::tune::Row| row.measurement.clone();
    let known: Vec<Measurement> = first.report().rows.iter().map(times).collect();
    assert!(second.report().rows[..2].iter().all(|row| known.contains(&times(row))));
    // Other sizes are other measurements.
    let other = mean.tune(&tuning.trials(0), &Array2::<f32>::ones((5, 5)))?;
    assert!(other.report().rows.is_empty() && other.best().is_none());
    assert_eq!(other.apply(&mean)?.selected(), None);
    Ok(())
}

#[test]
fn what_was_found_is_kept_beside_a_crate() -> lift::Result<()> {
    let (folder, mean) = (Folder::new("kept"), Mean::on(&devices()[0])?);
    for size in [20, 40] {
        mean.tune(&Tuning::new().trials(1), &Array2::<f32>::ones((size, size)))?.save(&folder.0)?;
    }
    let file = TuneFile::parse(&std::fs::read_to_string(folder.0.join("lift-tune.toml")).unwrap()).unwrap();
    let sizes: Vec<i64> = file.of("Mean").map(|entry| entry.sizes[0].1).collect();
    assert_eq!(sizes, [20, 40]);
    assert!(
        file.entries
            .iter()
            .all(|entry| entry.fingerprint == Mean::SPEC.fingerprint && entry.microseconds > 0.0)
    );
    std::fs::write(folder.0.join("lift-tune.toml"), "no table").unwrap();
    let refused = mean.tune(&Tuning::new().trials(1), &image())?.save(&folder.0);
    assert!(matches!(refused, Err(Error::File { .. })), "{refused:?}");
    Ok(())
}

#[test]
fn what_is_updated_in_place_is_compared_and_left() -> lift::Result<()> {
    for device in devices() {
        let mut xs: Vec<i32> = (0..100).collect();
        let found = Shift::on(&device)?.tune(&Tuning::new().exhaustive(), &mut xs)?;
        assert_eq!(xs, (0..100).collect::<Vec<i32>>());
        assert!(found.report().failures().is_empty(), "{found}");
        assert_eq!(found.report().rows.len(), found.report().points);
    }
    Ok(())
}

#[test]
fn arguments_are_checked() -> lift::Result<()> {
    let mean = Mean::on(&devices()[0])?;
    let empty = mean.tune(&Tuning::new(), &Array2::<f32>::zeros((0, 4)));
    assert!(empty.unwrap_err().to_string().contains("nothing to tune"));
    // Versions as they are, and no more of them.
    let found = mean.tune(&Tuning::new().defaults(), &image())?;
    assert_eq!(found.report().points, mean.variant_names().len(), "{found}");
    // What is selected stays.
    let found = mean.variant("naive")?.tune(&Tuning::new(), &image())?;
    assert!(found.report().rows.iter().all(|row| row.version == "naive"));
    let folder = Folder::new("journal");
    let refused = mean.tune(&Tuning::new().journal(&folder.0), &image());
    assert!(matches!(refused, Err(Error::File { .. })), "{refused:?}");
    Ok(())
}
