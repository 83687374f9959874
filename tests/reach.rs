//! What a kernel is compiled from is all that its description depends on.

#[path = "common/codes.rs"]
mod codes;
#[path = "common/corpus.rs"]
mod corpus;

use lift_core::describe::describe;
use lift_core::pipeline;
use lift_core::syntax::reach::Items;
use lift_laws::effort;

#[test]
fn kernels_are_compiled_from_what_they_reach() {
    let (mut kernels, mut smaller) = (0, 0);
    // A part of them, because each kernel is compiled twice.
    let step = if effort::everything() { 7 } else { 14 };
    let programs = corpus::programs();
    effort::report(
        "programs whose kernels are compiled by themselves",
        programs.len().div_ceil(step),
        programs.len(),
    );
    for tokens in programs.into_iter().step_by(step) {
        let items = Items::of(tokens.clone());
        let whole = tokens.to_string();
        if whole.matches("# [kernel]").count() < 2 {
            continue;
        }
        let compilation = pipeline::compile(tokens);
        for compiled in &compilation.kernels {
            let name =
                compiled.kernel.source.and_then(|i| compilation.block.functions[i].surface.ident.clone());
            let reached = items.reached(&name.expect("a function").to_string());
            let again = pipeline::compile(reached.parse().expect("tokens"));
            let same = again.kernels.iter().find(|it| it.kernel.name == compiled.kernel.name);
            let same = same.unwrap_or_else(|| panic!("{reached}\n{:?}", again.diagnostics));
            let texts = [compiled, same].map(|it| format!("{:?}", describe(it)));
            assert!(texts[0] == texts[1], "{}\n{whole}\n{reached}", compiled.kernel.name);
            kernels += 1;
            smaller +=
                usize::from(reached.matches("# [kernel]").count() < whole.matches("# [kernel]").count());
        }
    }
    let least = if effort::everything() { 50 } else { 10 };
    assert!(kernels > least && smaller > least, "{kernels} kernels, {smaller} by themselves");
}
