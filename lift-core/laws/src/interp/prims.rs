//! One equation per primitive.

use std::rc::Rc;

use lift_core::ir::{Arg, Boundary, Expr, Fold, Lambda, Literal, Prim, Scalar, Type};

use super::{Env, Outcome, Value, call, elements, eval, scalars};

/// The value of a primitive applied to all its arguments. Where and how does not change what: the low-level
/// primitives share the equations of those they came from.
pub(super) fn apply(prim: Prim, args: &[Arg], env: &mut Env) -> Outcome {
    match (prim, args) {
        (Prim::Map(_), [Arg::Fun(f), Arg::Data(xs)]) => {
            let xs = elements(xs, env)?;
            xs.iter().map(|x| call(f, [x.clone()], env)).collect::<Outcome<_>>().map(Value::Array)
        }
        (Prim::Reduce(_), [Arg::Fun(f), Arg::Data(z), Arg::Data(xs)]) => {
            let start = eval(z, env)?;
            let xs = elements(xs, env)?;
            xs.iter().try_fold(start, |sum, x| call(f, [sum, x.clone()], env))
        }
        (Prim::Array, [Arg::Size(n), Arg::Fun(f)]) => {
            let n = env.size(n)?;
            (0..n).map(|i| call(f, [i.into()], env)).collect::<Outcome<_>>().map(Value::Array)
        }
        (Prim::At, [Arg::Data(i), Arg::Data(xs)]) => {
            let Some(i) = scalars::cast(Scalar::Usize, &eval(i, env)?)?.as_int() else {
                return Err("an index is not a number".to_string());
            };
            let xs = elements(xs, env)?;
            let element = usize::try_from(i).ok().and_then(|i| xs.get(i));
            element.cloned().ok_or_else(|| format!("index {i} of {} elements", xs.len()))
        }
        (Prim::Scan(_), [Arg::Fun(f), Arg::Data(z), Arg::Data(xs)]) => {
            let mut sum = eval(z, env)?;
            let xs = elements(xs, env)?;
            let mut sums = Vec::new();
            for x in xs.iter() {
                sum = call(f, [sum, x.clone()], env)?;
                sums.push(sum.clone());
            }
            Ok(Value::Array(sums.into()))
        }
        (Prim::ScanWith, [Arg::Fun(f), Arg::Data(z), Arg::Data(xs)]) => {
            let mut state = eval(z, env)?;
            let xs = elements(xs, env)?;
            let mut out = Vec::new();
            for x in xs.iter() {
                let Value::Tuple(parts) = call(f, [state, x.clone()], env)? else {
                    return Err("`scan_with` needs a state and an element".to_string());
                };
                state = parts[0].clone();
                out.push(parts[1].clone());
            }
            Ok(Value::Array(out.into()))
        }
        (Prim::Iterate, [Arg::Data(k), Arg::Fun(f), Arg::Data(x)]) => {
            let k = index(&eval(k, env)?)?;
            let start = eval(x, env)?;
            (0..k).try_fold(start, |x, _| call(f, [x], env))
        }
        (Prim::IterateUntil, [Arg::Data(k), Arg::Fun(done), Arg::Fun(f), Arg::Data(x)]) => {
            let k = index(&eval(k, env)?)?;
            let mut state = eval(x, env)?;
            for _ in 0..k {
                match call(done, [state.clone()], env)?.as_bool() {
                    Some(true) => break,
                    Some(false) => {}
                    None => return Err("`done` gives no truth value".to_string()),
                }
                state = call(f, [state], env)?;
            }
            Ok(state)
        }
        (Prim::Store(_), [Arg::Data(x)]) | (Prim::Increase(_), [.., Arg::Data(x)]) => eval(x, env),
        (Prim::ReduceByKey(_), _) => by_key(args, env),
        (Prim::Reorder | Prim::Scatter | Prim::Gather | Prim::ScatterTo, _) => moved(prim, args, env),
        _ => rearranged(prim, args, env),
    }
}

/// Each bin starts with `z`, and takes the elements with its key from left to right; copies of bins take them by turns.
fn by_key(args: &[Arg], env: &mut Env) -> Outcome {
    let sizes: Vec<usize> =
        args.iter().filter_map(Arg::size).map(|n| env.size(n)).collect::<Result<_, _>>()?;
    let data: Vec<&Expr> = args.iter().filter_map(Arg::data).collect();
    let (Some(f), [bins, copies @ ..], [z, range @ .., keys, xs]) =
        (args.iter().find_map(Arg::fun), &sizes[..], &data[..])
    else {
        return Err("a reduction by key with the wrong arguments".to_string());
    };
    let copy_count = copies.first().copied().unwrap_or(1);
    let start = eval(z, env)?;
    let mut result = vec![vec![start; *bins]; copy_count];
    let range = range.iter().map(|i| index(&eval(i, env)?)).collect::<Result<Vec<_>, _>>()?;
    let (keys, xs) = (elements(keys, env)?, elements(xs, env)?);
    let (from, to) = match range[..] {
        [from, to] => (usize::try_from(from).unwrap_or(0), usize::try_from(to).unwrap_or(0)),
        _ => (0, xs.len()),
    };
    for i in from..to {
        let (Some(key), Some(x)) = (keys.get(i), xs.get(i)) else {
            return Err(format!("element {i} of {}", xs.len()));
        };
        let key = index(key)?;
        let copy = &mut result[(i - from) % copy_count];
        let bin = usize::try_from(key).ok().and_then(|key| copy.get_mut(key));
        let place = bin.ok_or_else(|| format!("index {key} of {bins} elements"))?;
        *place = call(f, [place.clone(), x.clone()], env)?;
    }
    let mut result = result.into_iter().map(|bins| Value::Array(bins.into()));
    match copies {
        [] => result.next().ok_or_else(|| "no bins".to_string()),
        _ => Ok(Value::Array(result.collect())),
    }
}

/// The same for what moves elements to other places of the same array.
fn moved(prim: Prim, args: &[Arg], env: &mut Env) -> Outcome {
    match (prim, args) {
        (Prim::Reorder, [Arg::Fun(p), Arg::Data(xs)]) => {
            let xs = elements(xs, env)?;
            let sources = permutation(p, xs.len(), env)?;
            Ok(Value::Array(sources.into_iter().map(|i| xs[i].clone()).collect()))
        }
        (Prim::Scatter, [Arg::Fun(p), Arg::Data(xs)]) => {
            let xs = elements(xs, env)?;
            let mut result = xs.to_vec();
            for (i, target) in permutation(p, result.len(), env)?.into_iter().enumerate() {
                result[target] = xs[i].clone();
            }
            Ok(Value::Array(result.into()))
        }
        (Prim::Gather, [Arg::Data(idx), Arg::Data(xs)]) => {
            let (idx, xs) = (elements(idx, env)?, elements(xs, env)?);
            let element = |i: &Value| {
                let i = index(i)?;
                let len = xs.len();
                let element = usize::try_from(i).ok().and_then(|i| xs.get(i));
                element.cloned().ok_or_else(|| format!("index {i} of {len} elements"))
            };
            idx.iter().map(element).collect::<Outcome<_>>().map(Value::Array)
        }
        (Prim::ScatterTo, [Arg::Data(dst), Arg::Data(idx), Arg::Data(xs)]) => {
            let (dst, idx, xs) = (elements(dst, env)?, elements(idx, env)?, elements(xs, env)?);
            let mut result = dst.to_vec();
            let len = result.len();
            let mut written = vec![false; len];
            for (i, x) in idx.iter().zip(&*xs) {
                let i = index(i)?;
                let place = usize::try_from(i).ok().filter(|i| *i < len);
                let place = place.ok_or_else(|| format!("index {i} of {len} elements"))?;
                if std::mem::replace(&mut written[place], true) {
                    return Err(format!("index {i} is written twice"));
                }
                result[place] = x.clone();
            }
            Ok(Value::Array(result.into()))
        }
        _ => Err(format!("`{}` with the wrong arguments", prim.name())),
    }
}

/// The same for layouts of other shapes.
fn rearranged(prim: Prim, args: &[Arg], env: &mut Env) -> Outcome {
    match (prim, args) {
        (Prim::Zip, args) => zip(args, env),
        (Prim::Split, [Arg::Size(m), Arg::Data(xs)]) => {
            let (m, xs) = (env.size(m)?, elements(xs, env)?);
            if m == 0 || !xs.len().is_multiple_of(m) {
                return Err(format!("`split({m})` of {} elements leaves a rest", xs.len()));
            }
            Ok(Value::Array(xs.chunks(m).map(|piece| Value::Array(piece.into())).collect()))
        }
        (Prim::Join, [Arg::Data(xs)]) => {
            Ok(Value::Array(rows(xs, env)?.iter().flat_map(|row| row.iter().cloned()).collect()))
        }
        (Prim::Transpose, [Arg::Data(xs)]) => {
            let columns = match xs.ty() {
                Type::Array(row, _) => row.as_array().map_or(Ok(0), |(_, len)| env.size(len))?,
                Type::Scalar(_) | Type::Tuple(_) => 0,
            };
            let rows = rows(xs, env)?;
            if let Some(row) = rows.iter().find(|row| row.len() != columns) {
                return Err(format!("a row of {} elements among rows of {columns}", row.len()));
            }
            let column = |j: usize| Value::Array(rows.iter().map(|row| row[j].clone()).collect());
            Ok(Value::Array((0..columns).map(column).collect()))
        }
        (Prim::Slide | Prim::SlideSeq, [Arg::Size(size), Arg::Size(step), Arg::Data(xs)]) => {
            let (size, step, xs) = (env.size(size)?, env.size(step)?, elements(xs, env)?);
            // What is shorter than a window has none.
            let comes_out =
                xs.len().checked_sub(size).is_none_or(|rest| step > 0 && rest.is_multiple_of(step));
            if size == 0 || step == 0 || !comes_out {
                return Err(format!("`slide({size}, {step})` of {} elements does not come out", xs.len()));
            }
            let windows = xs.windows(size).step_by(step);
            Ok(Value::Array(windows.map(|window| Value::Array(window.into())).collect()))
        }
        (Prim::Pad, [Arg::Size(l), Arg::Size(r), Arg::Boundary(boundary), Arg::Data(xs)]) => {
            pad(env.size(l)?, env.size(r)?, boundary, xs, env)
        }
        (Prim::Take, [Arg::Size(k), Arg::Data(xs)]) => {
            let (k, xs) = (env.size(k)?, elements(xs, env)?);
            let taken = xs.get(..k).ok_or_else(|| format!("`take({k})` of {} elements", xs.len()))?;
            Ok(Value::Array(taken.into()))
        }
        (Prim::Drop, [Arg::Size(k), Arg::Data(xs)]) => {
            let (k, xs) = (env.size(k)?, elements(xs, env)?);
            let left = xs.get(k..).ok_or_else(|| format!("`drop({k})` of {} elements", xs.len()))?;
            Ok(Value::Array(left.into()))
        }
        (Prim::Concat, args) => {
            let mut all = Vec::new();
            for xs in args.iter().filter_map(Arg::data) {
                all.extend_from_slice(&elements(xs, env)?);
            }
            Ok(Value::Array(all.into()))
        }
        (Prim::Unzip, [Arg::Data(xs)]) => {
            let parts = xs.ty().as_array().map_or(0, |(element, _)| element.arity());
            let xs = elements(xs, env)?;
            let part = |i: usize| -> Outcome {
                let field = |x: &Value| match x {
                    Value::Tuple(parts) if i < parts.len() => Ok(parts[i].clone()),
                    other => Err(format!("field {i} of {other}")),
                };
                xs.iter().map(field).collect::<Outcome<_>>().map(Value::Array)
            };
            (0..parts).map(part).collect::<Outcome<_>>().map(Value::Tuple)
        }
        _ => Err(format!("`{}` with the wrong arguments", prim.name())),
    }
}

/// An integer as an index.
fn index(value: &Value) -> Outcome<u64> {
    let cast = scalars::cast(Scalar::Usize, value)?;
    let number = cast.as_int().and_then(|i| u64::try_from(i).ok());
    number.ok_or_else(|| format!("{cast} is not an index"))
}

/// What a permutation of `n` indices makes of each; an error if it is none.
fn permutation(p: &Lambda, n: usize, env: &mut Env) -> Outcome<Vec<usize>> {
    let mut seen = vec![false; n];
    let mut images = Vec::new();
    for i in 0..n {
        let image = index(&call(p, [Value::from(i), Value::from(n)], env)?)?;
        match usize::try_from(image).ok().filter(|image| *image < n) {
            Some(image) if !std::mem::replace(&mut seen[image], true) => images.push(image),
            Some(image) => return Err(format!("a permutation of {n} indices gives {image} twice")),
            None => return Err(format!("a permutation of {n} indices gives {image}")),
        }
    }
    Ok(images)
}

/// The elements of the elements.
fn rows(xs: &Expr, env: &mut Env) -> Outcome<Vec<Rc<[Value]>>> {
    let xs = elements(xs, env)?;
    let row = |x: &Value| match x {
        Value::Array(row) => Ok(row.clone()),
        other => Err(format!("{other} is not an array")),
    };
    xs.iter().map(row).collect()
}

fn zip(args: &[Arg], env: &mut Env) -> Outcome {
    let mut columns = Vec::new();
    for x in args.iter().filter_map(Arg::data) {
        columns.push(elements(x, env)?);
    }
    let lens: Vec<usize> = columns.iter().map(|c| c.len()).collect();
    if lens.iter().any(|n| *n != lens[0]) {
        return Err(format!("`zip` of arrays of {lens:?} elements"));
    }
    let tuple = |i: usize| Value::Tuple(columns.iter().map(|c| c[i].clone()).collect());
    Ok(Value::Array((0..lens[0]).map(tuple).collect()))
}

fn pad(l: usize, r: usize, boundary: &Boundary, xs: &Expr, env: &mut Env) -> Outcome {
    let fill = match (boundary, xs.ty()) {
        (Boundary::Constant(c), Type::Array(element, _)) => {
            let c = eval(c, env)?;
            Some(filled(element, &c, env)?)
        }
        _ => None,
    };
    let element_ty = xs.ty().as_array().map(|(element, _)| element);
    let xs = elements(xs, env)?;
    let n = xs.len() as i128;
    let mut element = |i: i128| match source(boundary, i, n) {
        Some(j) if n > 0 => Ok(xs[j as usize].clone()),
        Some(_) => Err("an empty array has no boundary".to_string()),
        None if (0..n).contains(&i) => Ok(xs[i as usize].clone()),
        None => match boundary {
            Boundary::Index(f) => {
                let j = index(&outside(f, i, n, env)?)?;
                let element = usize::try_from(j).ok().and_then(|j| xs.get(j));
                element.cloned().ok_or_else(|| format!("a boundary gives index {j} of {n} elements"))
            }
            Boundary::Value(f) => {
                let value = outside(f, i, n, env)?;
                element_ty.map_or(Ok(value.clone()), |ty| filled(ty, &value, env))
            }
            _ => fill.clone().ok_or_else(|| "a boundary without a constant".to_string()),
        },
    };
    (-(l as i128)..n + r as i128).map(&mut element).collect::<Outcome<_>>().map(Value::Array)
}

/// What a function of the boundary gives for an index outside of `n` elements.
fn outside(f: &Lambda, i: i128, n: i128, env: &mut Env) -> Outcome {
    let number = |x: i128| Value::Scalar(Literal::int(x, Scalar::I64));
    call(f, [number(i), number(n)], env)
}

/// An element of this type with `c` in every place.
fn filled(ty: &Type, c: &Value, env: &Env) -> Outcome {
    match ty {
        Type::Array(element, len) => {
            let element = filled(element, c, env)?;
            Ok(Value::Array(vec![element; env.size(len)?].into()))
        }
        Type::Scalar(_) | Type::Tuple(_) => Ok(c.clone()),
    }
}

/// Which of `n` elements stands at position `i`, which may be outside; `None`: the boundary does not say.
pub(super) fn source(boundary: &Boundary, i: i128, n: i128) -> Option<i128> {
    let n = n.max(1);
    match boundary {
        Boundary::Fold(Fold::Clamp) => Some(i.clamp(0, n - 1)),
        Boundary::Fold(Fold::Wrap) => Some(i.rem_euclid(n)),
        // …b a | a b … y z | z y …
        Boundary::Fold(Fold::Mirror) => {
            let j = i.rem_euclid(2 * n);
            Some(j.min(2 * n - 1 - j))
        }
        // …c b | a b … y z | y x …
        Boundary::Fold(Fold::Reflect) => {
            let period = (2 * n - 2).max(1);
            let j = i.rem_euclid(period);
            Some(j.min(period - j))
        }
        Boundary::Constant(_) | Boundary::Index(_) | Boundary::Value(_) => None,
    }
}
