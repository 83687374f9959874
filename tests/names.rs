//! Names that mean something elsewhere: in OpenCL C, in its drivers, in texts that are generated, in launchers. A program with them
//! computes what it computes with others.

use common::{Comparison, compile, device};
use lift::lift;
use lift::ndarray::{Array1, arr1};

/// Words and beginnings of words.
const WORDS: &str = "stream_ unaligned_ half_ float uchar vload4 get_ as_ convert_ atomic_ work_group_ cl_ CLK_ LIFT_ LIFT_CLAIMS \
    TILE_X TILE_Y_1 wrapping_add_int div_ checked_index claim_element index_t status claims kernel main v_ N_ i row x restrict global \
    local constant NULL NAN INFINITY MAXFLOAT INT_MAX M_PI sqrt fma min clamp barrier printf linux unix l0 anywhere place value é \
    OPENCL EXTENSION FP_CONTRACT ON OFF r#type r#fn r#match auto void signed sizeof typedef volatile register event_t image2d_t \
    bool2 EOF errno stdin assert complex I";

fn names() -> Vec<String> {
    let long = ["a".repeat(200), format!("stream_{}", "b".repeat(200))];
    let ends = ["", "2", "_4", "_float4", "x"];
    let made = WORDS.split_whitespace().flat_map(|word| ends.map(|end| format!("{word}{end}")));
    // What is no type or primitive of the language.
    long.into_iter().chain(made).collect()
}

fn compare(text: &str, sizes: &[(&str, i64)]) {
    for compiled in compile(text) {
        let spec = common::spec::leak(&compiled);
        Comparison { compiled: &compiled, spec, sizes, tunables: &[], seed: 1 }.run(&device());
    }
}

#[test]
fn parameters_and_variables_may_have_any_name() {
    for names in names().chunks(100) {
        let each = |text: &dyn Fn(&String) -> String| names.iter().map(text).collect::<String>();
        let text = format!(
            "#[kernel] fn Named<N>({} a: [f32; N]) -> [f32; N] {{ a.map(|a| {{ {} a {} }}) }}",
            each(&|name| format!("{name}: f32, ")),
            each(&|name| format!("let {name} = {name} * 0.5 + a; ")),
            each(&|name| format!(" + {name}")),
        );
        compare(&text, &[("N", 3)]);
    }
}

#[test]
fn sizes_may_have_any_name() {
    let names = names()
        .into_iter()
        .filter(|name| name.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit()));
    let names: Vec<String> = names.collect();
    assert!(names.len() > 20);
    let each = |text: &dyn Fn(&String) -> String| names.iter().map(text).collect::<String>();
    let text = format!(
        "#[kernel] fn Sized<{} N>({} a: [f32; N]) -> [f32; N] {{ a.map(|a| a {}) }}",
        each(&|name| format!("{name}, ")),
        each(&|name| format!("of_{name}: [f32; {name}], ")),
        each(&|name| format!(" + of_{name}[{name} - 1] * ({name} as f32)")),
    );
    let mut sizes: Vec<(&str, i64)> = names.iter().map(String::as_str).zip(1..).collect();
    sizes.push(("N", 5));
    compare(&text, &sizes);
}

#[test]
fn sizes_may_be_called_like_tunables() {
    let text = "#[kernel] fn Blur<TILE_X, TILE_Y>(a: [[f32; TILE_X]; TILE_Y]) -> [[f32; TILE_X]; TILE_Y] {
        a.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w.join().reduce(add, 0.0))
    }";
    compare(text, &[("TILE_X", 37), ("TILE_Y", 19)]);
}

#[test]
fn functions_constants_structs_and_kernels_may_have_any_name() {
    let kernels =
        "Main Kernel Float4 StreamX Half Half2 Status Sqrt Barrier IndexT CheckedIndex DivInt Global Named";
    let kernels: String = kernels
        .split_whitespace()
        .map(|name| {
            format!(
                "#[kernel] fn {name}<N>(status: [usize; N], restrict: [f32; N]) -> [f32; N] {{
                     zip(status, restrict).map(|(uint, float)| {{
                         let half = float4 {{ stream_x: float, get_: double[uint % 3] }};
                         get_global_id(half) + vload4(half.stream_x) + restrict[uint % N]
                     }})
                 }}"
            )
        })
        .collect();
    let text = format!(
        "const double: [f32; 3] = [1.0, 2.0, 4.0];
         const M_PI: f32 = 3.5;
         struct float4 {{ stream_x: f32, get_: f32 }}
         fn get_global_id(half: float4) -> f32 {{ half.stream_x * half.get_ + M_PI }}
         fn vload4(unaligned_float4: f32) -> f32 {{ let int = unaligned_float4 * 2.0; int * int }}
         {kernels}"
    );
    compare(&text, &[("N", 9)]);
}

/// Nothing here is what it is elsewhere.
mod own {
    use super::lift;

    lift! {
        #[derive(PartialEq)]
        pub struct Vec { pub each_ref: f32, pub t0: f32, pub r#type: f32 }

        #[kernel]
        pub fn Option<N>(queue: [f32; N], out: f32, args: f32, finished: f32, result: f32, launcher: f32, r#type: f32) -> [f32; N] {
            queue.map(|x| x + out + args + finished + result + launcher + r#type)
        }

        #[kernel]
        pub fn Result<N>(list: [Vec; N], from: Vec) -> [Vec; N] {
            list.map(|one| Vec { each_ref: one.each_ref + from.each_ref, t0: one.t0, r#type: one.r#type })
        }

        #[kernel]
        #[step(run, on, set_x)]
        pub fn Clone<N>(run: [f32; N], on: [f32; N], set_x: [f32; N], x: [f32; N], clone: f32, source: f32) -> [f32; N] {
            zip(run, on, set_x, x).map(|(a, b, c, x)| a + b * c + x + clone + source)
        }

        #[kernel]
        #[step(x; x_device)]
        pub fn Default<N>(x: [f32; N], x_device: [f32; N]) -> ([f32; N], [f32; N]) {
            (x.map(|x| x + 1.0), x_device.map(|x| x + 2.0))
        }
    }
}

#[test]
fn launchers_and_what_they_take_may_have_any_name() {
    let device = device();
    let a = arr1(&[1.0_f32, 2.0]);
    let sum: Array1<f32> = own::Option::on(&device).unwrap().run(&a, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0).unwrap();
    assert_eq!(sum, arr1(&[7.0, 8.0]));
    let all = [own::Vec { each_ref: 1.0, t0: 2.0, r#type: 3.0 }];
    let arrays: own::VecArrays<Vec<f32>, Vec<f32>, Vec<f32>> = all.into_iter().collect();
    let found = own::Result::on(&device).unwrap().run(arrays.each_ref(), all[0]).unwrap();
    assert_eq!(found.each_ref, arr1(&[2.0]));
    let mut steps = own::Clone::on(&device).unwrap().start(&a, &a, &a, &a, 0.5, 0.5).unwrap();
    steps.set_set_x(&a).unwrap();
    steps.run(1).unwrap();
    assert_eq!(steps.run_().unwrap(), arr1(&[4.0, 9.0]));
    assert_eq!(steps.on().unwrap(), a);
    let mut steps = own::Default::on(&device).unwrap().start(&a, &a).unwrap();
    steps.run(2).unwrap();
    assert_eq!(steps.x().unwrap(), arr1(&[3.0, 4.0]));
    assert_eq!(steps.x_device().unwrap(), arr1(&[5.0, 6.0]));
}
