use lift::prelude::*;

lift!(
    #[kernel]
    pub fn Lookup<N>(table: [f32; 256], xs: [i32; N]) -> [f32; N] {
        xs.map(|x| table[x as usize])
    }
);

fn main() {}
