//! Pictures of a simulation while it runs: frames of an animation, numbered pictures, or numbered arrays.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use ndarray::Array2;

use super::colours::{Palette, fire};
use crate::array::{HostArray, checked, shaped};
use crate::error::{Error, Result};
use crate::file::{FileProblem, cannot_write, malformed, problem};
use crate::npy;
use crate::scalar::Scalar;

/// Files that take the arrays of a simulation one after the other.
///
/// The name says what they are: `wave.gif` is an animation; `wave-{}.png` are pictures and `wave-{}.npy` arrays as they
/// are, with the number of the frame in place of `{}`. Without `{}` there is one file, with the last frame.
///
/// ```
/// # fn main() -> lift_runtime::Result<()> {
/// use lift_runtime::{Frames, colours};
///
/// # let path = std::env::temp_dir().join(format!("lift-frames-{}.gif", std::process::id()));
/// let mut frames = Frames::create(&path)?.colours(colours::grey()).range(0.0, 2.0).scale(4);
/// frames.push(&[[0.0_f32, 1.0], [2.0, 3.0]])?;
/// frames.push(&[[3.0_f32, 2.0], [1.0, 0.0]])?;
/// frames.finish()?;
/// # let _ = std::fs::remove_file(path);
/// # Ok(())
/// # }
/// ```
///
/// A simulation shows itself between its steps:
///
/// ```text
/// let mut frames = Frames::create("heat.gif")?;
/// sim.steps(1000).every(10, frames.show(|sim: &mut HeatSteps| sim.u())).go()?;
/// frames.finish()?;
/// ```
#[derive(Debug)]
pub struct Frames {
    path: PathBuf,
    format: Format,
    palette: Palette,
    range: (f64, f64),
    scale: usize,
    delay: u16,
    /// How many there are.
    count: u64,
}

#[derive(Debug)]
enum Format {
    Gif(Gif),
    Png,
    Npy,
}

enum Gif {
    /// The first frame says how large all are.
    Empty(File),
    Open(gif::Encoder<BufWriter<File>>, [u16; 2]),
    Finished,
}

impl std::fmt::Debug for Gif {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a GIF")
    }
}

impl Frames {
    /// Files of this name, which ends in `.gif`, `.png` or `.npy`.
    ///
    /// # Errors
    ///
    /// [`Error::File`] when the name ends otherwise, or the animation cannot be written.
    pub fn create(path: impl AsRef<Path>) -> Result<Frames> {
        let path = path.as_ref();
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        let format = match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("gif") => Format::Gif(Gif::Empty(File::create(path).map_err(cannot_write(path))?)),
            Some("png") => Format::Png,
            Some("npy") => Format::Npy,
            Some(_) | None => {
                return Err(malformed(path, "a name for frames", "it must end in .gif, .png or .npy"));
            }
        };
        let path = path.to_path_buf();
        Ok(Frames { path, format, palette: fire(), range: (0.0, 1.0), scale: 1, delay: 5, count: 0 })
    }

    /// Other colours than [`fire`].
    #[must_use]
    pub fn colours(self, palette: Palette) -> Frames {
        Frames { palette, ..self }
    }

    /// The numbers for the first and for the last colour, instead of 0 and 1.
    #[must_use]
    pub fn range(self, low: f64, high: f64) -> Frames {
        Frames { range: (low, high), ..self }
    }

    /// Every element becomes a square of so many pixels.
    #[must_use]
    pub fn scale(self, pixels: usize) -> Frames {
        Frames { scale: pixels.max(1), ..self }
    }

    /// How long an animation shows each frame, in hundredths of a second, instead of 5.
    #[must_use]
    pub fn delay(self, hundredths: u16) -> Frames {
        Frames { delay: hundredths, ..self }
    }

    /// How many frames were written.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Writes the next frame.
    ///
    /// # Errors
    ///
    /// [`Error::File`] when it cannot be written, [`Error::Picture`] when it is too large or, in an animation, not as
    /// large as the first one.
    pub fn push<T: Scalar + Into<f64>>(&mut self, array: impl HostArray<T, 2>) -> Result<()> {
        let (shape, elements) = checked("the frame", &array)?;
        match self.format {
            Format::Npy => npy::write(self.numbered(), (&*elements, shape))?,
            Format::Png => {
                let bytes = self.bytes(shape, &elements)?;
                self.png(&bytes)?;
            }
            Format::Gif(_) => {
                let bytes = self.bytes(shape, &elements)?;
                self.gif(shape, bytes)?;
            }
        }
        self.count += 1;
        Ok(())
    }

    /// A callback for [`Steps::every`](crate::Steps::every) that writes what `state` gives of the simulation.
    pub fn show<'a, S, T: Scalar + Into<f64>>(
        &'a mut self,
        mut state: impl FnMut(&mut S) -> Result<Array2<T>> + 'a,
    ) -> impl FnMut(&mut S) -> Result<()> + 'a {
        move |simulation| self.push(&state(simulation)?)
    }

    /// Writes what an animation ends with. Without, that happens when the frames are dropped, and nobody is told if it
    /// fails.
    ///
    /// # Errors
    ///
    /// [`Error::File`] when it cannot be written.
    pub fn finish(mut self) -> Result<()> {
        if let Format::Gif(gif) = &mut self.format
            && let Gif::Open(encoder, _) = std::mem::replace(gif, Gif::Finished)
        {
            let ended = encoder.into_inner().and_then(|mut file| Ok(file.flush()?));
            ended.map_err(|error| problem(&self.path, FileProblem::Write(error.to_string())))?;
        }
        Ok(())
    }

    /// The file of the next frame.
    fn numbered(&self) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        self.path.with_file_name(name.replace("{}", &format!("{:04}", self.count)))
    }

    /// The colour of each pixel.
    fn bytes(&self, [height, width]: [usize; 2], elements: &[impl Scalar + Into<f64>]) -> Result<Array2<u8>> {
        let (low, high) = self.range;
        // Conversions saturate, as in kernels.
        let byte = |x: f64| ((x - low) / (high - low) * 255.0).round() as u8;
        let bytes = shaped([height, width], elements.iter().map(|x| byte((*x).into())).collect())?;
        let scaled = (height.saturating_mul(self.scale), width.saturating_mul(self.scale));
        Ok(Array2::from_shape_fn(scaled, |(i, j)| bytes[[i / self.scale, j / self.scale]]))
    }

    fn png(&self, bytes: &Array2<u8>) -> Result<()> {
        let path = self.numbered();
        let (height, width) = bytes.dim();
        let pixels = bytes.iter().flat_map(|byte| self.palette[usize::from(*byte)]).collect();
        let picture = crate::pixels::rgb(&shaped([height, width, 3], pixels)?)?;
        let written = picture.save_with_format(&path, image::ImageFormat::Png);
        written.map_err(|error| problem(&path, FileProblem::Write(error.to_string())))
    }

    fn gif(&mut self, shape: [usize; 2], bytes: Array2<u8>) -> Result<()> {
        let Format::Gif(gif) = &mut self.format else { return Ok(()) };
        let wrong = |problem: String| Error::Picture { shape: shape.to_vec(), problem };
        let path = &self.path;
        let failed = |error: gif::EncodingError| problem(path, FileProblem::Write(error.to_string()));
        let side = |n: usize| {
            u16::try_from(n).ok().filter(|n| *n > 0).ok_or_else(|| {
                wrong(format!("a GIF has 1 to 65535 rows and columns, but this has {n} of them"))
            })
        };
        let size = [side(bytes.nrows())?, side(bytes.ncols())?];
        if let Gif::Empty(file) = gif {
            let file = BufWriter::new(file.try_clone().map_err(cannot_write(path))?);
            let mut encoder =
                gif::Encoder::new(file, size[1], size[0], self.palette.as_flattened()).map_err(failed)?;
            encoder.set_repeat(gif::Repeat::Infinite).map_err(failed)?;
            *gif = Gif::Open(encoder, size);
        }
        let Gif::Open(encoder, first) = gif else { return Ok(()) };
        if *first != size {
            let [height, width] = first.map(|n| usize::from(n) / self.scale);
            return Err(wrong(format!(
                "all frames of an animation are as large as the first one, {height}×{width}"
            )));
        }
        let pixels = bytes.into_iter().collect::<Vec<u8>>();
        let frame = gif::Frame {
            delay: self.delay,
            ..gif::Frame::from_indexed_pixels(size[1], size[0], pixels, None)
        };
        encoder.write_frame(&frame).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use ndarray::arr2;

    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let folder = std::env::temp_dir().join(format!("lift-frames-{}-{name}", std::process::id()));
            std::fs::create_dir_all(&folder).unwrap();
            Folder(folder)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn pictures_are_numbered() {
        let folder = Folder::new("png");
        let mut palette = [[9; 3]; 256];
        palette[255] = [1, 2, 3];
        let name = folder.0.join("p-{}.png");
        let mut frames = Frames::create(name).unwrap().colours(palette).range(0.0, 4.0).scale(2);
        frames.push(&[[0_u8, 4, 0]]).unwrap();
        frames.push(&[[4_u8, 0, 0]]).unwrap();
        assert_eq!(frames.count(), 2);
        let picture = image::open(folder.0.join("p-0001.png")).unwrap().into_rgb8();
        assert_eq!(picture.dimensions(), (6, 2));
        let colours: Vec<[u8; 3]> = picture.pixels().map(|pixel| pixel.0).take(4).collect();
        assert_eq!(colours, [[1, 2, 3], [1, 2, 3], [9; 3], [9; 3]]);
    }

    #[test]
    fn arrays_are_kept_as_they_are() {
        let folder = Folder::new("npy");
        let mut frames = Frames::create(folder.0.join("last.npy")).unwrap();
        frames.push(&[[1.5_f64, 2.5]]).unwrap();
        frames.push(&[[3.5_f64, 4.5]]).unwrap();
        assert_eq!(npy::read::<f64, 2>(folder.0.join("last.npy")).unwrap(), arr2(&[[3.5, 4.5]]));
    }

    #[test]
    fn animations_have_all_frames() {
        let folder = Folder::new("gif");
        let path = folder.0.join("a.gif");
        let mut frames = Frames::create(&path).unwrap().delay(7);
        let mut show = frames.show(|simulation: &mut f32| Ok(arr2(&[[*simulation, 1.0]])));
        [0.0, 0.5, 1.0].iter_mut().for_each(|simulation| show(simulation).unwrap());
        drop(show);
        let error = frames.push(&[[1.0_f32]]).unwrap_err().to_string();
        assert_eq!(
            error,
            "an array that is 1×1 is no picture: all frames of an animation are as large as the first one, 1×2"
        );
        frames.finish().unwrap();
        let mut decoder = gif::DecodeOptions::new().read_info(File::open(path).unwrap()).unwrap();
        let mut found = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            found.push((frame.delay, frame.buffer[0], frame.buffer[1]));
        }
        assert_eq!(found, [(7, 0, 255), (7, 128, 255), (7, 255, 255)]);
    }

    #[test]
    fn what_cannot_be_written_is_said() {
        let text = |path: &str| Frames::create(path).map(drop).unwrap_err().to_string();
        assert_eq!(
            text("wave.tif"),
            "`wave.tif` is not a name for frames: it must end in .gif, .png or .npy"
        );
        assert!(text("/nowhere/wave.gif").starts_with("`/nowhere/wave.gif` cannot be written: "));
        let mut frames = Frames::create("/nowhere/wave.png").unwrap();
        let text = frames.push(&[[1.0_f32]]).unwrap_err().to_string();
        assert!(text.starts_with("`/nowhere/wave.png` cannot be written: "), "{text}");
        let folder = Folder::new("empty");
        let mut frames = Frames::create(folder.0.join("none.gif")).unwrap();
        let text = frames.push(Array2::<f32>::zeros((0, 5)).view()).unwrap_err().to_string();
        assert!(text.contains("a GIF has 1 to 65535 rows and columns"), "{text}");
    }
}
