/// The number by which a function is found: of a text with the type `F`.
pub fn key(text: &str, ty: &str) -> u64 {
    // FNV-1a. The build fails if two texts have the same.
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    alike(text, ty).bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The text with the type `F` instead of its own, which is called like the kernel.
pub fn alike(text: &str, ty: &str) -> String {
    text.replace(ty, "F")
}
