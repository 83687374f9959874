//! Type schemes of primitives, read from the signatures in the table of primitives.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::arith::ArithExpr;
use crate::ir::prim::{AtZero, Prim};
use crate::ir::scalar::Scalar;

/// The type of a primitive: for all sizes and types that occur in it.
#[derive(Debug, Clone)]
pub struct Scheme {
    /// Parameters in order.
    pub params: Vec<(String, SchemeParam)>,
    /// The result.
    pub result: SchemeType,
    /// Facts that must hold; that about arrays without elements comes first.
    pub needs: Vec<Need>,
}

/// A fact a primitive needs.
#[derive(Debug, Clone)]
pub struct Need {
    /// `<=` or `==`; `>=` is turned around.
    pub relation: crate::ir::expr::Relation,
    /// Left side.
    pub left: SchemeSize,
    /// Right side.
    pub right: SchemeSize,
    /// Whether this is about arrays without elements.
    pub at_zero: bool,
}

/// A parameter of a scheme.
#[derive(Debug, Clone)]
pub enum SchemeParam {
    /// Data of this type.
    Data(SchemeType),
    /// A function.
    Function(Vec<SchemeType>, SchemeType),
    /// A size; the parameter's name stands for it.
    Nat,
    /// A boundary.
    Boundary,
}

/// A type in a scheme.
#[derive(Debug, Clone)]
pub enum SchemeType {
    /// A type variable.
    Var(String),
    /// A scalar.
    Scalar(Scalar),
    /// An array.
    Array(Box<SchemeType>, SchemeSize),
    /// A tuple.
    Tuple(Vec<SchemeType>),
}

/// A size in a scheme.
#[derive(Debug, Clone)]
pub enum SchemeSize {
    /// A literal.
    Const(i64),
    /// A size variable.
    Var(String),
    /// An operation: one of `+ - * / %`, or `m` for the smaller one.
    Binary(char, Box<SchemeSize>, Box<SchemeSize>),
}

impl SchemeSize {
    /// The size under an assignment of the variables. Missing variables are a bug of the table.
    pub fn instantiate(&self, sizes: &BTreeMap<String, ArithExpr>) -> ArithExpr {
        match self {
            SchemeSize::Const(n) => ArithExpr::cst(*n),
            SchemeSize::Var(name) => match sizes.get(name) {
                Some(size) => size.clone(),
                None => crate::bug!("size `{name}` of a signature is not bound"),
            },
            SchemeSize::Binary(op, a, b) => {
                let (a, b) = (a.instantiate(sizes), b.instantiate(sizes));
                match op {
                    '+' => a + b,
                    '-' => a - b,
                    '*' => a * b,
                    '/' => a.div(&b),
                    'm' => ArithExpr::min(&a, &b),
                    _ => a.modulo(&b),
                }
            }
        }
    }
}

/// The scheme of a primitive for so many arrays or parts, if it is variadic.
pub fn scheme(prim: Prim, arity: usize) -> Arc<Scheme> {
    static CACHE: Mutex<BTreeMap<(Prim, usize), Arc<Scheme>>> = Mutex::new(BTreeMap::new());
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (prim, if prim.is_variadic() { arity } else { 0 });
    cache.entry(key).or_insert_with(|| Arc::new(read(prim, arity))).clone()
}

fn read(prim: Prim, arity: usize) -> Scheme {
    let mut reader = Reader::new(&prim.signature_of(arity));
    let params = reader.list('(', ')', |r| {
        let name = r.word();
        r.expect(":");
        (name, r.param())
    });
    reader.expect("->");
    let result = reader.ty();
    let at_zero = match prim.row().at_zero {
        AtZero::Needs(text, _) => Some(Need { at_zero: true, ..Reader::new(text).need() }),
        AtZero::Total(_) => None,
    };
    let needs = prim.row().needs.iter().map(|text| Reader::new(text).need());
    Scheme { params, result, needs: at_zero.into_iter().chain(needs).collect() }
}

/// A recursive-descent reader of signatures. They are part of the compiler: what it cannot read is a bug.
struct Reader {
    tokens: Vec<String>,
    at: usize,
}

impl Reader {
    fn new(text: &str) -> Reader {
        let mut tokens = Vec::new();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let mut token = c.to_string();
            if c.is_whitespace() {
                continue;
            } else if c.is_alphanumeric() {
                while let Some(c) = chars.next_if(|c| c.is_alphanumeric() || *c == '_') {
                    token.push(c);
                }
            } else if let Some(second) =
                chars.next_if(|n| matches!((c, n), ('-', '>') | ('<' | '>' | '=', '=')))
            {
                token.push(second);
            }
            tokens.push(token);
        }
        Reader { tokens, at: 0 }
    }

    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn word(&mut self) -> String {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned().unwrap_or_default()
    }

    fn expect(&mut self, token: &str) {
        let found = self.word();
        if found != token {
            crate::bug!("signature: expected `{token}`, found `{found}` in {:?}", self.tokens);
        }
    }

    fn list<T>(&mut self, open: char, close: char, item: impl Fn(&mut Reader) -> T) -> Vec<T> {
        self.expect(&open.to_string());
        let mut items = Vec::new();
        while self.peek() != close.to_string() {
            items.push(item(self));
            if self.peek() == "," {
                self.at += 1;
            }
        }
        self.at += 1;
        items
    }

    fn param(&mut self) -> SchemeParam {
        match self.peek() {
            "fn" => {
                self.at += 1;
                let params = self.list('(', ')', Reader::ty);
                self.expect("->");
                SchemeParam::Function(params, self.ty())
            }
            "Nat" => {
                self.at += 1;
                SchemeParam::Nat
            }
            "Boundary" => {
                self.at += 1;
                self.list('<', '>', Reader::ty);
                SchemeParam::Boundary
            }
            _ => SchemeParam::Data(self.ty()),
        }
    }

    fn ty(&mut self) -> SchemeType {
        match self.peek() {
            "[" => {
                self.at += 1;
                let element = self.ty();
                self.expect(";");
                let len = self.size();
                self.expect("]");
                SchemeType::Array(Box::new(element), len)
            }
            "(" => SchemeType::Tuple(self.list('(', ')', Reader::ty)),
            _ => {
                let name = self.word();
                Scalar::from_name(&name).map_or(SchemeType::Var(name), SchemeType::Scalar)
            }
        }
    }

    fn need(&mut self) -> Need {
        use crate::ir::expr::Relation;
        let left = self.size();
        let relation = self.word();
        let right = self.size();
        let at_zero = false;
        match relation.as_str() {
            "==" => Need { relation: Relation::Equal, left, right, at_zero },
            "<=" => Need { relation: Relation::AtMost, left, right, at_zero },
            _ => Need { relation: Relation::AtMost, left: right, right: left, at_zero },
        }
    }

    fn size(&mut self) -> SchemeSize {
        let mut left = self.product();
        while matches!(self.peek(), "+" | "-") {
            let op = self.word().chars().next().unwrap_or('+');
            left = SchemeSize::Binary(op, Box::new(left), Box::new(self.product()));
        }
        left
    }

    fn product(&mut self) -> SchemeSize {
        let mut left = self.atom();
        while matches!(self.peek(), "*" | "/" | "%") {
            let op = self.word().chars().next().unwrap_or('*');
            left = SchemeSize::Binary(op, Box::new(left), Box::new(self.atom()));
        }
        left
    }

    fn atom(&mut self) -> SchemeSize {
        if self.peek() == "(" {
            self.at += 1;
            let size = self.size();
            self.expect(")");
            return size;
        }
        let word = self.word();
        if word == "min" {
            let sizes = self.list('(', ')', Reader::size);
            let least = sizes.into_iter().reduce(|a, b| SchemeSize::Binary('m', Box::new(a), Box::new(b)));
            return least.unwrap_or(SchemeSize::Const(0));
        }
        word.parse().map_or(SchemeSize::Var(word), SchemeSize::Const)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::prim::TABLE;

    #[test]
    fn every_signature_can_be_read() {
        for row in TABLE {
            let scheme = scheme(row.prim, 2);
            assert!(!scheme.params.is_empty(), "{}", row.name);
        }
        assert_eq!(scheme(Prim::Zip, 5).params.len(), 5);
        assert_eq!(scheme(Prim::Concat, 3).params.len(), 3);
    }
}
