//! Pictures from files and to files.

use std::path::Path;

use image::{DynamicImage, GenericImageView};
use lift::ndarray::Array2;

use crate::colours::Rgb;
use crate::options::Outcome;

/// A photograph that comes with the examples: an astronaut.
pub const ASTRONAUT: &[u8] = include_bytes!("data/astronaut.png");
/// A photograph that comes with the examples: coins.
pub const COINS: &[u8] = include_bytes!("data/coins.png");

/// The picture of this name, or the one that comes with the examples.
fn open(path: Option<&Path>, instead: &[u8]) -> Result<DynamicImage, Box<dyn std::error::Error>> {
    Ok(match path {
        Some(path) => image::open(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?,
        None => image::load_from_memory(instead)?,
    })
}

/// A picture without its colours, or the one that comes with the examples.
pub fn grey(path: Option<&Path>, instead: &[u8]) -> Result<Array2<u8>, Box<dyn std::error::Error>> {
    let image = open(path, instead)?.into_luma8();
    let (width, height) = image.dimensions();
    Ok(Array2::from_shape_vec((height as usize, width as usize), image.into_raw())?)
}

/// Writes a picture; the format follows from the file's name.
pub fn save(path: &Path, pixels: &Array2<Rgb>) -> Outcome {
    let picture = image::RgbImage::from_fn(pixels.ncols() as u32, pixels.nrows() as u32, |x, y| {
        image::Rgb(pixels[[y as usize, x as usize]])
    });
    picture.save(path).map_err(|e| format!("cannot write {}: {e}", path.display()).into())
}

/// Writes a picture without colours.
pub fn save_grey(path: &Path, pixels: &Array2<u8>) -> Outcome {
    let picture = lift::pixels::gray(pixels)?;
    picture.save(path).map_err(|e| format!("cannot write {}: {e}", path.display()).into())
}

/// A picture of one to four channels, each an array of bytes.
pub struct Picture {
    /// Rows.
    pub height: usize,
    /// Pixels in a row.
    pub width: usize,
    /// Colour channels, then alpha if there is one.
    planes: Vec<Vec<u8>>,
    has_alpha: bool,
}

impl Picture {
    /// Reads a picture, or the photograph of the astronaut.
    pub fn open(path: Option<&Path>) -> Result<Picture, Box<dyn std::error::Error>> {
        let image = open(path, ASTRONAUT)?;
        let (width, height) = image.dimensions();
        let color = image.color();
        let (bytes, channels) = match (color.has_color(), color.has_alpha()) {
            (true, true) => (image.into_rgba8().into_raw(), 4),
            (true, false) => (image.into_rgb8().into_raw(), 3),
            (false, true) => (image.into_luma_alpha8().into_raw(), 2),
            (false, false) => (image.into_luma8().into_raw(), 1),
        };
        let planes = (0..channels).map(|c| bytes.iter().skip(c).step_by(channels).copied().collect());
        Ok(Picture {
            height: height as usize,
            width: width as usize,
            planes: planes.collect(),
            has_alpha: color.has_alpha(),
        })
    }

    /// The picture with `f` applied to each colour channel; alpha stays as it is.
    pub fn map_planes(&self, mut f: impl FnMut(&[u8]) -> lift::Result<Vec<f32>>) -> lift::Result<Picture> {
        let colours = self.planes.len() - usize::from(self.has_alpha);
        let mut planes = Vec::new();
        for (i, plane) in self.planes.iter().enumerate() {
            planes.push(if i < colours {
                f(plane)?.into_iter().map(to_byte).collect()
            } else {
                plane.clone()
            });
        }
        Ok(Picture { planes, ..*self })
    }

    /// Writes the picture; the format follows from the file's name.
    pub fn save(&self, path: &Path) -> Outcome {
        let channels = self.planes.len();
        let mut bytes = vec![0; self.height * self.width * channels];
        for (c, plane) in self.planes.iter().enumerate() {
            for (pixel, value) in bytes.iter_mut().skip(c).step_by(channels).zip(plane) {
                *pixel = *value;
            }
        }
        let (width, height) = (self.width as u32, self.height as u32);
        let image = match channels {
            1 => image::GrayImage::from_raw(width, height, bytes).map(DynamicImage::from),
            2 => image::GrayAlphaImage::from_raw(width, height, bytes).map(DynamicImage::from),
            3 => image::RgbImage::from_raw(width, height, bytes).map(DynamicImage::from),
            _ => image::RgbaImage::from_raw(width, height, bytes).map(DynamicImage::from),
        };
        let image = image.ok_or("the picture has an impossible size")?;
        image.save(path).map_err(|e| format!("cannot write {}: {e}", path.display()).into())
    }
}

fn to_byte(value: f32) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}
