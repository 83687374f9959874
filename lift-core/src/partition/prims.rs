//! Which rows the result of each primitive depends on.

use crate::arith::ArithExpr;
use crate::ir::{Arg, Boundary, Expr, Fold, Kind, Lambda, Prim, Type};
use crate::rewrite::rules::steps::reach::{Reach, is_near};

use super::reads::{Reads, Value};
use super::rows::{Known, Rows, changed};

/// So many applications of an `iterate` are followed one after the other.
const MOST_ROUNDS: u64 = 64;

impl Rows<'_> {
    /// What is accumulated over elements like this one, from a start on.
    fn accumulated(&mut self, f: &Lambda, start: Value, element: &Value) -> Known {
        let once = changed(self.apply(f, &[start.clone(), element.clone()])?.joined(start));
        let twice = self.apply(f, &[once.clone(), element.clone()])?;
        Ok(fixed(once, twice))
    }

    /// What is known of an application.
    pub(super) fn prim(&mut self, prim: Prim, args: &[Arg], ty: &Type) -> Known {
        Ok(match (prim, args) {
            (Prim::Map(_), [Arg::Fun(f), Arg::Data(xs)]) => {
                let xs = self.value(xs)?;
                if !xs.has_rows() {
                    return Ok(self.apply(f, &[xs.element()])?.within());
                }
                // Numbers belong to the rows of one loop.
                let element = if self.depth > 0 { changed(xs).element() } else { xs.element() };
                self.apply_to_rows(f, &[element])?
            }
            (Prim::Reduce(_), [Arg::Fun(f), Arg::Data(z), Arg::Data(xs)]) => {
                let (start, element) = (self.value(z)?, self.value(xs)?.some_element());
                self.accumulated(f, start, &element)?
            }
            (Prim::Scan(_), [Arg::Fun(f), Arg::Data(z), Arg::Data(xs)]) => {
                let (start, element) = (self.value(z)?, self.value(xs)?.some_element());
                self.accumulated(f, start, &element)?.within()
            }
            (Prim::ScanWith, [Arg::Fun(f), Arg::Data(z), Arg::Data(xs)]) => {
                let (start, element) = (self.value(z)?, self.value(xs)?.some_element());
                self.scanned(f, start, element)?
            }
            (Prim::Store(_) | Prim::Increase(_), [.., Arg::Data(xs)]) => self.value(xs)?,
            (Prim::Array, [Arg::Size(n), Arg::Fun(f)]) if n.contains(self.size) => {
                let position = match self.depth {
                    0 => Value::number(ArithExpr::var(&self.row)),
                    _ => Value::new(None, Reads::positions()),
                };
                self.apply_to_rows(f, &[position])?
            }
            (Prim::Array, [Arg::Size(_), Arg::Fun(f)]) => self.apply(f, &[Value::free()])?.within(),
            (Prim::At, [Arg::Data(i), Arg::Data(xs)]) => self.at(i, xs)?,
            (Prim::Iterate, [Arg::Data(k), Arg::Fun(f), Arg::Data(x)]) => {
                let k = self.value(k)?;
                let x = self.value(x)?;
                self.iterated(&k, f, x)?.and(&k.whole())
            }
            (prim, args) if prim.is_rearrangement() => self.rearranged(prim, args, ty)?,
            // Rows go anywhere.
            _ => self.anywhere(args, ty)?,
        })
    }

    /// What is known of the result of a layout.
    fn rearranged(&mut self, prim: Prim, args: &[Arg], ty: &Type) -> Known {
        Ok(match (prim, args) {
            (Prim::Take, [Arg::Size(_), Arg::Data(xs)]) => self.value(xs)?,
            (Prim::Zip, arrays) => {
                let arrays = arrays.iter().filter_map(Arg::data);
                Value::Tuple(arrays.map(|array| self.value(array)).collect::<Result<_, _>>()?)
            }
            (Prim::Unzip, [Arg::Data(xs)]) => match self.value(xs)? {
                Value::Tuple(parts) => Value::Tuple(parts),
                one @ Value::One { .. } => Value::Tuple(vec![one; ty.arity()]),
            },
            (Prim::Split, [Arg::Size(_), Arg::Data(xs)]) => {
                self.value(xs)?.rearranged(|dimension| (dimension > 0).then_some(dimension + 1))
            }
            (Prim::Join, [Arg::Data(xs)]) => {
                self.value(xs)?.rearranged(|dimension| (dimension > 1).then(|| dimension - 1))
            }
            (Prim::Transpose, [Arg::Data(xs)]) => self
                .value(xs)?
                .rearranged(|dimension| Some(if dimension < 2 { 1 - dimension } else { dimension })),
            (Prim::Slide | Prim::SlideSeq, [Arg::Size(size), Arg::Size(step), Arg::Data(xs)]) => {
                let xs = self.value(xs)?;
                if !xs.has_rows() || step.as_const() != Some(1) {
                    return Ok(xs.rearranged(|dimension| (dimension > 0).then_some(dimension + 1)));
                }
                let more = &(size - &ArithExpr::one());
                xs.each(|along, reads| match along {
                    Some(0) => Value::new(Some(0), reads.shifted(&ArithExpr::zero(), more)),
                    along => Value::new(along.map(|dimension| dimension + 1), reads),
                })
            }
            (Prim::Pad, [Arg::Size(l), Arg::Size(r), Arg::Boundary(boundary), Arg::Data(xs)]) => {
                let len = xs.ty().length();
                let xs = self.value(xs)?;
                self.padded([l, r], boundary, &len, xs)?
            }
            (Prim::Drop, [Arg::Size(k), Arg::Data(xs)]) => {
                let xs = self.value(xs)?;
                xs.shifted(k, &self.row)
            }
            (Prim::Concat, pieces) => self.concatenated(pieces)?,
            (Prim::Reorder, [Arg::Fun(_), Arg::Data(xs)]) => {
                self.value(xs)?.rearranged(|dimension| (dimension > 0).then_some(dimension))
            }
            (Prim::Gather, [Arg::Data(indices), Arg::Data(xs)]) => {
                let (inner, mut all) = self.value(xs)?.some_element().flat();
                let (along, reads) = self.value(indices)?.flat();
                all.join(&reads);
                Value::new(along.or(inner.map(|inner| inner + 1)), all)
            }
            _ => self.anywhere(args, ty)?,
        })
    }

    fn scanned(&mut self, f: &Lambda, start: Value, element: Value) -> Known {
        let once = match self.apply(f, &[start.clone(), element.clone()])? {
            Value::Tuple(mut parts) if parts.len() == 2 => parts.swap_remove(0),
            both => both,
        };
        let state = changed(once.joined(start));
        let (next, result) = match self.apply(f, &[state.clone(), element])? {
            Value::Tuple(mut parts) if parts.len() == 2 => (parts.swap_remove(0), parts.swap_remove(0)),
            both => (both.clone(), both),
        };
        // What grows from element to element may come from anywhere.
        let is_fixed = state.clone().joined(next.clone()) == state;
        let more = if is_fixed { Reads::default() } else { everything(next) };
        Ok(result.and(&more).within())
    }

    fn anywhere(&mut self, args: &[Arg], ty: &Type) -> Known {
        let mut reads = Reads::default();
        for arg in args {
            match arg {
                Arg::Data(x) => reads.join(&everything(self.value(x)?)),
                Arg::Fun(f) => {
                    let free = vec![Value::free(); f.params.len()];
                    reads.join(&everything(self.apply(f, &free)?));
                }
                Arg::Size(_) | Arg::Boundary(_) => {}
            }
        }
        Ok(match ty {
            Type::Tuple(parts) => Value::Tuple(vec![Value::new(None, reads); parts.len()]),
            Type::Scalar(_) | Type::Array(..) => Value::new(None, reads),
        })
    }

    /// An element, which may be one of a row that is known.
    fn at(&mut self, i: &Expr, xs: &Expr) -> Known {
        let (index, array) = (self.value(i)?, self.value(xs)?);
        let is_outer = matches!(xs.kind(), Kind::Param(param) if self.outer.contains(&param.id));
        if is_outer
            && self.depth > 0
            && array.has_rows()
            && let Some((number, reads)) = index.as_number()
            && let Some((rows, rest)) = number.linear_in(&self.row)
            && rows.as_const() == Some(1)
        {
            return Ok(changed(array.shifted(&rest, &self.row).element()).and(reads));
        }
        let index = index.whole();
        Ok(array.some_element().and(&index))
    }

    fn padded(
        &mut self,
        [l, r]: [&ArithExpr; 2],
        boundary: &Boundary,
        len: &ArithExpr,
        mut xs: Value,
    ) -> Known {
        if !xs.has_rows() {
            // What stands beyond the edges may depend on more.
            let more = match boundary {
                Boundary::Constant(c) => self.value(c)?.whole(),
                Boundary::Index(f) | Boundary::Value(f) => {
                    let length =
                        if len.contains(self.size) { Value::number(len.clone()) } else { Value::free() };
                    self.apply(f, &[length.clone(), length])?.whole()
                }
                Boundary::Fold(_) => Reads::default(),
            };
            let is_kept = matches!(boundary, Boundary::Fold(_));
            return Ok(if is_kept { xs } else { changed(xs).and(&more) });
        }
        let (Some(before), Some(after)) = (l.as_const(), r.as_const()) else {
            return Err(format!("it is padded by `{l}` and `{r}` rows, which are no numbers"));
        };
        if before == 0 && after == 0 {
            return Ok(xs);
        }
        let mut more = Reads::default();
        let mut folded = false;
        match boundary {
            Boundary::Fold(Fold::Wrap) => {
                // What repeats must be all rows.
                if !self.facts.eq(len, &ArithExpr::var(self.size)).is_yes() {
                    return Err(format!("`wrap` of `{len}` rows does not repeat all of them"));
                }
                self.is_periodic = true;
            }
            Boundary::Fold(Fold::Clamp) => self.has_edges = true,
            Boundary::Fold(Fold::Mirror | Fold::Reflect) => (self.has_edges, folded) = (true, true),
            Boundary::Constant(c) => {
                self.has_edges = true;
                more = self.value(c)?.whole();
            }
            Boundary::Index(f) => {
                // As far inside as outside, like what is folded.
                let most = before.max(after);
                if !is_near(f, Reach { before: most, after: most }, len, self.facts) {
                    return Err("a boundary gives rows that are not near the edge".into());
                }
                (self.has_edges, folded) = (true, true);
            }
            Boundary::Value(f) => {
                let outside = match self.depth {
                    0 => Value::number(ArithExpr::var(&self.row) - before),
                    _ => Value::new(None, Reads::positions()),
                };
                self.has_edges = true;
                self.depth += 1;
                more = self.apply(f, &[outside, Value::number(len.clone())])?.whole();
                self.depth -= 1;
            }
        }
        if !matches!(boundary, Boundary::Fold(Fold::Wrap)) {
            xs = xs.and(&Reads::edges(0, 0));
        }
        let shift = &-ArithExpr::cst(before);
        let padded = changed(xs).each(|along, reads| match along {
            Some(0) => Value::new(along, if folded { reads.folded() } else { reads }.shifted(shift, shift)),
            along => Value::new(along, reads),
        });
        Ok(padded.and(&more))
    }

    /// Arrays one after the other: some rows, which are a number, then the others, then some again.
    fn concatenated(&mut self, pieces: &[Arg]) -> Known {
        let (mut values, mut lens) = (Vec::new(), Vec::new());
        for piece in pieces.iter().filter_map(Arg::data) {
            values.push(self.value(piece)?);
            lens.push(self.facts.simplify(&piece.ty().length()));
        }
        if !values.iter().any(Value::has_rows) {
            return Ok(values.into_iter().reduce(Value::joined).unwrap_or_else(Value::free));
        }
        let mut long = lens.iter().enumerate().filter(|(_, len)| len.as_const().is_none());
        let (Some((longest, _)), None) = (long.next(), long.next()) else {
            let all = values.into_iter().map(everything);
            let reads = all.reduce(|mut all, reads| {
                all.join(&reads);
                all
            });
            return Ok(Value::new(None, reads.unwrap_or_default()));
        };
        let rows = |lens: &[ArithExpr]| lens.iter().filter_map(ArithExpr::as_const).sum::<i64>();
        let edges = Reads::edges(rows(&lens[..longest]), rows(&lens[longest + 1..]));
        self.has_edges = true;
        let mut offset = ArithExpr::zero();
        let mut joined: Option<Value> = None;
        for (value, len) in values.into_iter().zip(&lens) {
            let piece = match value.has_rows() {
                true => changed(value).shifted(&-offset.clone(), &self.row),
                false => Value::new(Some(0), value.whole()),
            };
            joined = Some(match joined {
                Some(joined) => joined.joined(piece),
                None => piece,
            });
            offset = &offset + len;
        }
        Ok(joined.unwrap_or_else(Value::free).and(&edges))
    }

    fn iterated(&mut self, times: &Value, f: &Lambda, x: Value) -> Known {
        let times =
            times.as_number().and_then(|(times, _)| times.as_const()).and_then(|n| u64::try_from(n).ok());
        let x = changed(x);
        if let Some(times) = times.filter(|times| *times <= MOST_ROUNDS) {
            return (0..times).try_fold(x, |x, _| Ok(changed(self.apply(f, &[x])?)));
        }
        let once = changed(self.apply(f, std::slice::from_ref(&x))?.joined(x));
        let twice = self.apply(f, std::slice::from_ref(&once))?;
        let has_rows = once.has_rows();
        let found = fixed(once, twice);
        match has_rows && !found.has_rows() {
            true => {
                Err("every round of an `iterate` reads more rows, and how many rounds there are is not known"
                    .into())
            }
            false => Ok(found),
        }
    }
}

/// What does not change from round to round. What grows may come from anywhere.
fn fixed(once: Value, twice: Value) -> Value {
    match once.clone().joined(twice) == once {
        true => once,
        false => once.each(|_, reads| Value::new(None, reads.whole())),
    }
}

/// All rows of all that a value depends on.
fn everything(value: Value) -> Reads {
    value.flat().1.whole()
}
