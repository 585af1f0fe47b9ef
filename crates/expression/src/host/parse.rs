//! The parser: recursive descent over the bytes of the text.
//!
//! ```text
//! query   := expr end
//! expr    := cmp ( '?' expr ':' expr )?
//! cmp     := sum ( ('<'|'<='|'>'|'>='|'=='|'!=') sum )?
//! sum     := prod ( ('+'|'-') prod )*
//! prod    := unary ( ('*'|'/') unary )*
//! unary   := ('-'|'+') unary | power
//! power   := postfix ( '^' unary )?
//! postfix := atom ( '.' component )*
//! atom    := number | name | name '(' expr (',' expr)* ')' | '(' expr ')'
//! ```

use super::error::{Error, ErrorKind};
use super::limits::Limits;
use super::syntax::{Binary, Form, Syntax};
use std::ops::Range;

type Result<T> = std::result::Result<T, Error>;

/// The syntax of a text.
pub fn parse(text: &str, limits: &Limits) -> Result<Syntax> {
    if text.len() > limits.bytes {
        let kind = ErrorKind::TooMany { what: "bytes", found: text.len(), most: limits.bytes };
        return Err(Error::new(limits.bytes..text.len(), kind));
    }
    let mut parser = Parser { text, at: 0, depth: 0, nodes: 0, functions: 0, limits };
    let syntax = parser.expression()?;
    match parser.peek() {
        None => Ok(syntax),
        Some(_) => parser.expected("an operator or the end"),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    nodes: usize,
    functions: usize,
    limits: &'a Limits,
}

impl<'a> Parser<'a> {
    fn expression(&mut self) -> Result<Syntax> {
        self.nested(|parser| {
            let condition = parser.comparison()?;
            if !parser.take("?") {
                return Ok(condition);
            }
            let yes = parser.expression()?;
            if !parser.take(":") {
                return parser.expected("`:` and the value for a false condition");
            }
            let no = parser.expression()?;
            let range = condition.range.start..no.range.end;
            parser.node(range, Form::Select(Box::new([condition, yes, no])))
        })
    }

    fn comparison(&mut self) -> Result<Syntax> {
        // longer operators first
        const OPERATORS: [Binary; 6] = [
            Binary::LessEqual,
            Binary::GreaterEqual,
            Binary::Equal,
            Binary::NotEqual,
            Binary::Less,
            Binary::Greater,
        ];
        let left = self.sum()?;
        let Some(operator) = self.operator(&OPERATORS) else { return Ok(left) };
        let right = self.sum()?;
        let compared = self.binary(operator, left, right)?;
        let before = self.at;
        if self.operator(&OPERATORS).is_some() {
            self.at = before;
            return self.expected("no second comparison: put the first one in parentheses");
        }
        Ok(compared)
    }

    fn sum(&mut self) -> Result<Syntax> {
        let mut sum = self.product()?;
        while let Some(operator) = self.operator(&[Binary::Add, Binary::Subtract]) {
            let right = self.product()?;
            sum = self.binary(operator, sum, right)?;
        }
        Ok(sum)
    }

    fn product(&mut self) -> Result<Syntax> {
        let mut product = self.signed()?;
        while let Some(operator) = self.operator(&[Binary::Multiply, Binary::Divide]) {
            let right = self.signed()?;
            product = self.binary(operator, product, right)?;
        }
        Ok(product)
    }

    fn signed(&mut self) -> Result<Syntax> {
        self.nested(|parser| {
            let next = parser.peek();
            let start = parser.at;
            match next {
                Some(b'-') => {
                    parser.at += 1;
                    let value = parser.signed()?;
                    parser.node(start..value.range.end, Form::Negate(Box::new(value)))
                }
                Some(b'+') => {
                    parser.at += 1;
                    parser.signed()
                }
                _ => parser.power(),
            }
        })
    }

    fn power(&mut self) -> Result<Syntax> {
        let base = self.postfix()?;
        if !self.take("^") {
            return Ok(base);
        }
        let exponent = self.signed()?;
        self.binary(Binary::Power, base, exponent)
    }

    fn postfix(&mut self) -> Result<Syntax> {
        let mut value = self.atom()?;
        while self.take(".") {
            self.peek();
            let name = self.while_bytes(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if name.is_empty() {
                return self.expected("a component such as x, xy or 0");
            }
            let of = self.at - name.len()..self.at;
            let range = value.range.start..self.at;
            value = self.node(range, Form::Component(Box::new(value), name.to_owned(), of))?;
        }
        Ok(value)
    }

    fn atom(&mut self) -> Result<Syntax> {
        const EXPECTED: &str = "a number, a name or `(`";
        let next = self.peek();
        let start = self.at;
        match next {
            Some(b'(') => {
                self.at += 1;
                let mut value = self.expression()?;
                if !self.take(")") {
                    return self.expected("an operator or `)`");
                }
                value.range = start..self.at;
                Ok(value)
            }
            Some(b'0'..=b'9' | b'.') => self.number(),
            Some(b'`') => {
                self.at += 1;
                let name = self.while_bytes(|byte| byte != b'`');
                if name.is_empty() {
                    return self.expected("a name between back-quotes");
                }
                if self.at == self.text.len() {
                    return self.expected("a back-quote at the end of the name");
                }
                self.at += 1;
                self.named(name, start)
            }
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
                let name = self.while_bytes(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                self.named(name, start)
            }
            _ => self.expected(EXPECTED),
        }
    }

    /// A field's name, or a call.
    fn named(&mut self, name: &str, start: usize) -> Result<Syntax> {
        let of = start..self.at;
        if !self.take("(") {
            return self.node(of, Form::Name(name.to_owned()));
        }
        self.functions += 1;
        self.limit("functions", self.functions, self.limits.functions, of.clone())?;
        let mut arguments = vec![self.expression()?];
        while self.take(",") {
            arguments.push(self.expression()?);
        }
        if !self.take(")") {
            return self.expected("an operator, `,` or `)`");
        }
        self.node(start..self.at, Form::Call(name.to_owned(), of, arguments))
    }

    fn number(&mut self) -> Result<Syntax> {
        let start = self.at;
        let digits = |parser: &mut Self| parser.while_bytes(|byte| byte.is_ascii_digit()).len();
        let mut written = digits(self);
        if self.byte() == Some(b'.') {
            self.at += 1;
            written += digits(self);
        }
        if written == 0 {
            return self.expected("a digit");
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if digits(self) == 0 {
                return self.expected("a digit of the exponent");
            }
        }
        let (range, number) = (start..self.at, &self.text[start..self.at]);
        match number.parse::<f32>() {
            Ok(value) if value.is_finite() => self.node(range, Form::Number(value)),
            _ => Err(Error::new(range, ErrorKind::Number(number.to_owned()))),
        }
    }

    fn binary(&mut self, operator: Binary, left: Syntax, right: Syntax) -> Result<Syntax> {
        let range = left.range.start..right.range.end;
        self.node(range, Form::Binary(operator, Box::new(left), Box::new(right)))
    }

    fn node(&mut self, range: Range<usize>, form: Form) -> Result<Syntax> {
        self.nodes += 1;
        self.limit(
            "nodes (numbers, names, operators and functions)",
            self.nodes,
            self.limits.nodes,
            range.clone(),
        )?;
        Ok(Syntax { range, form })
    }

    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        // an expression and a sign are a level each
        let levels = self.depth.div_ceil(2);
        self.limit("nested levels", levels, self.limits.depth, self.at..self.at)?;
        let value = inner(self);
        self.depth -= 1;
        value
    }

    fn limit(&self, what: &'static str, found: usize, most: usize, range: Range<usize>) -> Result<()> {
        let kind = ErrorKind::TooMany { what, found, most };
        if found > most { Err(Error::new(range, kind)) } else { Ok(()) }
    }

    /// The next byte that is no white space.
    fn peek(&mut self) -> Option<u8> {
        self.while_bytes(|byte| byte.is_ascii_whitespace());
        self.byte()
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The bytes from here on that fulfil a condition, which bytes of longer characters all do or all do not.
    fn while_bytes(&mut self, condition: impl Fn(u8) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let length = rest.bytes().position(|byte| !condition(byte)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn take(&mut self, token: &str) -> bool {
        self.peek();
        let found = self.text[self.at..].starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn operator(&mut self, operators: &[Binary]) -> Option<Binary> {
        operators.iter().copied().find(|operator| self.take(operator.text()))
    }

    fn expected<T>(&mut self, expected: &str) -> Result<T> {
        self.peek();
        let rest = &self.text[self.at..];
        let word = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let length = word.max(rest.chars().next().map_or(0, char::len_utf8));
        let found = if rest.is_empty() { "the end".to_owned() } else { format!("`{}`", &rest[..length]) };
        let kind = ErrorKind::Expected { expected: expected.to_owned(), found };
        Err(Error::new(self.at..self.at + length, kind))
    }
}
