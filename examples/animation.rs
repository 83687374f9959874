//! Pictures that move.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use lift::ndarray::Array2;

use crate::colours::Palette;
use crate::options::Outcome;
use crate::picture;

/// A file that takes one picture after the other: a GIF takes all, a picture keeps the last one.
pub struct Animation {
    path: PathBuf,
    palette: Palette,
    gif: Option<gif::Encoder<BufWriter<File>>>,
    /// Every element becomes so many pixels in both directions.
    scale: usize,
}

impl Animation {
    /// Opens the file. The format follows from its name.
    pub fn create(
        path: &Path,
        palette: Palette,
        (height, width): (usize, usize),
        scale: usize,
    ) -> Result<Animation, Box<dyn std::error::Error>> {
        let is_gif = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gif"));
        let gif = if is_gif {
            let cannot = |e| format!("cannot write {}: {e}", path.display());
            let file = BufWriter::new(File::create(path).map_err(cannot)?);
            let side =
                |n: usize| u16::try_from(n * scale).map_err(|_| "a GIF has at most 65535 rows and columns");
            let mut gif = gif::Encoder::new(file, side(width)?, side(height)?, palette.as_flattened())?;
            gif.set_repeat(gif::Repeat::Infinite)?;
            Some(gif)
        } else {
            None
        };
        Ok(Animation { path: path.to_path_buf(), palette, gif, scale })
    }

    /// Appends a picture.
    pub fn push(&mut self, bytes: &Array2<u8>) -> Outcome {
        let scale = self.scale;
        let (height, width) = bytes.dim();
        let bytes =
            Array2::from_shape_fn((height * scale, width * scale), |(i, j)| bytes[[i / scale, j / scale]]);
        match &mut self.gif {
            Some(gif) => {
                let (height, width) = (bytes.nrows() as u16, bytes.ncols() as u16);
                let pixels = bytes.into_iter().collect::<Vec<u8>>();
                // Hundredths of a second.
                let frame =
                    gif::Frame { delay: 5, ..gif::Frame::from_indexed_pixels(width, height, pixels, None) };
                Ok(gif.write_frame(&frame)?)
            }
            None => picture::save(&self.path, &bytes.mapv(|b| self.palette[usize::from(b)])),
        }
    }
}
