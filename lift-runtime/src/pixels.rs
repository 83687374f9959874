//! Pictures of the crate `image` as arrays, and arrays as pictures.
//!
//! References to pictures are host data: `&GrayImage` is an array `[[u8; W]; H]`, `&RgbImage` an array
//! `[[[u8; 3]; W]; H]`, and so for other channels and for 16-bit numbers. Results become pictures again by
//! [`gray`] and [`rgb`].
//!
//! ```
//! # fn main() -> lift_runtime::Result<()> {
//! use image::{GrayImage, Luma};
//! use lift_runtime::{Device, pixels};
//!
//! let picture = GrayImage::from_fn(3, 2, |x, y| Luma([(10 * y + x) as u8]));
//! let array = Device::best()?.upload(&picture)?.download()?;
//! assert_eq!(array, ndarray::arr2(&[[0, 1, 2], [10, 11, 12]]));
//! assert_eq!(pixels::gray(&array)?, picture);
//!
//! // Floats from 0 to 1, and back.
//! let floats = pixels::to_floats(&picture)?;
//! assert_eq!(floats[[1, 2]], 12.0 / 255.0);
//! assert_eq!(pixels::to_bytes(&floats)?, array);
//! # Ok(())
//! # }
//! ```

use std::borrow::Cow;
use std::ops::Deref;

use image::{ImageBuffer, Luma, LumaA, Pixel, Rgb, Rgba};
use ndarray::{Dim, Dimension};

use crate::any_array::AnyArray;
use crate::args::HostArg;
use crate::array::{Host, HostArray, Shaped, checked, shaped};
use crate::error::{Error, Result};
use crate::scalar::Scalar;

/// Pictures of this pixel are arrays of so many dimensions, with these extents.
macro_rules! pictures {
    ($($pixel:ident, $rank:literal, $it:ident => $shape:expr;)*) => {$(
        impl<T: Scalar, C: Deref<Target = [T]>> Shaped<T, $rank> for &ImageBuffer<$pixel<T>, C>
        where
            $pixel<T>: Pixel<Subpixel = T>,
        {
            fn shape(&self) -> [usize; $rank] {
                let $it = self;
                $shape
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: Scalar, C: Deref<Target = [T]>> HostArray<T, $rank> for &ImageBuffer<$pixel<T>, C>
        where
            $pixel<T>: Pixel<Subpixel = T>,
        {
            fn contiguous(&self) -> Cow<'_, [T]> {
                // What holds the pixels may be longer.
                let all: &[T] = self.as_raw();
                Cow::Borrowed(all.get(..Shaped::<T, $rank>::shape(self).iter().product()).unwrap_or(all))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: Scalar, C: Deref<Target = [T]>> AnyArray<T, $rank> for &ImageBuffer<$pixel<T>, C>
        where
            $pixel<T>: Pixel<Subpixel = T>,
        {
            fn to_arg(&self) -> HostArg<'_> {
                HostArg::array::<T, $rank>(self)
            }
        }
    )*};
}

pictures! {
    Luma, 2, it => [it.height() as usize, it.width() as usize];
    LumaA, 3, it => [it.height() as usize, it.width() as usize, 2];
    Rgb, 3, it => [it.height() as usize, it.width() as usize, 3];
    Rgba, 3, it => [it.height() as usize, it.width() as usize, 4];
}

/// A picture of shades of grey.
///
/// # Errors
///
/// [`Error::Picture`] when the array has more rows or columns than pictures may have.
pub fn gray<T: Scalar>(array: impl HostArray<T, 2>) -> Result<ImageBuffer<Luma<T>, Vec<T>>>
where
    Luma<T>: Pixel<Subpixel = T>,
{
    let ([height, width], pixels) = checked("the array", &array)?;
    made(&[height, width], pixels.into_owned())
}

/// A picture in colours, from an array whose last dimension is red, green and blue.
///
/// # Errors
///
/// [`Error::Picture`] when the last dimension is another, or the array has more rows or columns than pictures may have.
pub fn rgb<T: Scalar>(array: impl HostArray<T, 3>) -> Result<ImageBuffer<Rgb<T>, Vec<T>>>
where
    Rgb<T>: Pixel<Subpixel = T>,
{
    let (shape, pixels) = checked("the array", &array)?;
    if shape[2] != 3 {
        let problem = "a pixel needs 3 numbers".to_string();
        return Err(Error::Picture { shape: shape.to_vec(), problem });
    }
    made(&shape, pixels.into_owned())
}

fn made<P: Pixel>(shape: &[usize], pixels: Vec<P::Subpixel>) -> Result<ImageBuffer<P, Vec<P::Subpixel>>> {
    let side = |d: usize| u32::try_from(shape[d]).ok();
    let made = side(1).zip(side(0)).and_then(|(width, height)| ImageBuffer::from_raw(width, height, pixels));
    let problem = || "pictures have less than 2^32 rows and columns".to_string();
    made.ok_or_else(|| Error::Picture { shape: shape.to_vec(), problem: problem() })
}

/// Bytes as floats from 0 to 1.
///
/// # Errors
///
/// When the data is not as long as its shape says.
pub fn to_floats<const D: usize>(bytes: impl HostArray<u8, D>) -> Result<Host<f32, D>>
where
    Dim<[usize; D]>: Dimension,
{
    let (shape, bytes) = checked("the array", &bytes)?;
    shaped(shape, bytes.iter().map(|byte| f32::from(*byte) / 255.0).collect())
}

/// Floats from 0 to 1 as bytes; what is beyond becomes 0 or 255.
///
/// # Errors
///
/// When the data is not as long as its shape says.
pub fn to_bytes<const D: usize>(floats: impl HostArray<f32, D>) -> Result<Host<u8, D>>
where
    Dim<[usize; D]>: Dimension,
{
    let (shape, floats) = checked("the array", &floats)?;
    // Conversions saturate, as in kernels.
    shaped(shape, floats.iter().map(|x| (255.0 * x).round() as u8).collect())
}

#[cfg(test)]
mod tests {
    use image::{GrayImage, ImageBuffer, LumaA, Rgb, RgbImage, Rgba, RgbaImage};
    use ndarray::{Array2, Array3, arr2};

    use super::*;

    fn seen<T: Scalar, const D: usize>(array: impl HostArray<T, D>) -> ([usize; D], Vec<T>) {
        (array.shape(), array.contiguous().into_owned())
    }

    #[test]
    fn pictures_are_arrays() {
        let colours = RgbImage::from_fn(2, 3, |x, y| Rgb([x as u8, y as u8, 7]));
        let (shape, elements) = seen::<u8, 3>(&colours);
        assert_eq!((shape, &elements[..9]), ([3, 2, 3], &[0, 0, 7, 1, 0, 7, 0, 1, 7][..]));
        let wide = ImageBuffer::from_pixel(2, 1, LumaA([1_u16, 65535]));
        assert_eq!(seen::<u16, 3>(&wide), ([1, 2, 2], vec![1, 65535, 1, 65535]));
        assert_eq!(seen::<u8, 3>(&RgbaImage::from_pixel(1, 1, Rgba([1, 2, 3, 4]))).0, [1, 1, 4]);
        // What holds the pixels may be longer than the picture.
        let long = GrayImage::from_raw(2, 1, vec![1, 2, 3]).unwrap();
        assert_eq!(seen::<u8, 2>(&long), ([1, 2], vec![1, 2]));
    }

    #[test]
    fn arrays_are_pictures() {
        let array = Array3::from_shape_fn((3, 2, 3), |(y, x, c)| (100 * c + 10 * y + x) as u8);
        let picture = rgb(&array).unwrap();
        assert_eq!((picture.dimensions(), picture[(1, 2)]), ((2, 3), Rgb([21, 121, 221])));
        assert_eq!(seen::<u8, 3>(&picture).1, array.as_slice().unwrap());
        let transposed = gray(Array2::from_shape_fn((2, 3), |(y, x)| (10 * y + x) as u8).t()).unwrap();
        assert_eq!((transposed.dimensions(), transposed[(1, 2)]), ((2, 3), Luma([12])));
        let error = rgb(&Array3::<u8>::zeros((5, 4, 2))).unwrap_err().to_string();
        assert_eq!(error, "an array that is 5×4×2 is no picture: a pixel needs 3 numbers");
    }

    #[test]
    fn floats_are_bytes() {
        let floats = arr2(&[[-1.0, 0.0, 0.5], [1.0, 2.0, f32::NAN]]);
        assert_eq!(to_bytes(&floats).unwrap(), arr2(&[[0, 0, 128], [255, 255, 0]]));
        let all = Array2::from_shape_fn((16, 16), |(i, j)| (16 * i + j) as u8);
        assert_eq!(to_bytes(&to_floats(&all).unwrap()).unwrap(), all);
    }
}
