//! Texts that are sent to clients.

use crate::{Description, Found, Limits, Refusal, Step, VERSION};
use ribbonmesh_expression::{Error, Field, Type};
use serde_json::{Map, json};

/// The answer to a hello, or, later, a description that has changed.
pub(crate) fn description(of: &Description, step: Step, limits: &Limits, changed: bool) -> String {
    let field = |served: &crate::Served| {
        let Field { name, of_type, of } = &served.field;
        json!({
            "name": name,
            "type": type_name(*of_type),
            "components": of_type.components(),
            "of": of,
            "count": served.count,
            "unit": served.unit,
            "range": served.range,
        })
    };
    let (kind, counts) = &of.domain;
    let mut domain = Map::new();
    domain.insert("kind".into(), json!(kind));
    domain.extend(counts.iter().map(|(what, count)| ((*what).to_owned(), json!(count))));
    let mut answer = json!({
        "version": VERSION,
        "title": of.title,
        "machine": of.machine,
        "fields": of.fields.iter().map(field).collect::<Vec<_>>(),
        "domain": domain,
        "box": of.bounds,
        "axes": of.axes,
        "moves": of.moves,
        "slices": of.slices,
        "begins": of.begins.map(|slice| json!({ "normal": slice.normal, "offset": slice.offset })),
        "step": step.number,
        "time": step.time,
        "limits": {
            "side": limits.side,
            "expression": limits.expression.bytes,
            "credits": limits.most,
            "silence": limits.silence.as_secs(),
        },
    });
    if changed {
        answer["changed"] = json!(true);
    }
    answer.to_string()
}

fn type_name(of_type: Type) -> &'static str {
    match of_type {
        Type::Scalar => "scalar",
        Type::Vector => "vector",
        Type::Symmetric => "symmetric",
        Type::Tensor => "tensor",
    }
}

/// A query that is accepted.
pub(crate) fn accepted(number: u32, of: Option<&str>, by: &str) -> String {
    json!({ "query": number, "type": "scalar", "of": of, "tier": by }).to_string()
}

/// An expression that is not accepted.
pub(crate) fn wrong(number: u32, error: &Error) -> String {
    let (at, length) = (error.range.start, error.range.len());
    json!({ "query": number, "error": error.kind.to_string(), "at": at, "length": length }).to_string()
}

/// A query that is valid and not served.
pub(crate) fn not_served(number: u32, why: &str, length: usize) -> String {
    json!({ "query": number, "error": why, "at": 0, "length": length }).to_string()
}

/// A refusal, with the key and the number of what is refused where that has one.
pub(crate) fn refusal(refusal: &Refusal, about: Option<(&str, u32)>) -> String {
    let mut error = Map::new();
    error.insert("code".into(), json!(refusal.code()));
    error.insert("message".into(), json!(refusal.to_string()));
    if let Some((what, number)) = about {
        error.insert(what.into(), json!(number));
    }
    json!({ "error": error }).to_string()
}

/// The credits after those of a silent client were taken.
pub(crate) fn silent(seconds: u64) -> String {
    json!({ "credits": 0, "because": format!("nothing was heard for {seconds} s") }).to_string()
}

/// The exact value at a pixel.
pub(crate) fn found(number: u32, found: Option<&Found>) -> String {
    let Some(Found { value, element: (kind, element), position }) = found else {
        return json!({ "probe": number, "value": null, "position": null }).to_string();
    };
    // JSON has no NaN and no infinity
    let text = if value.is_finite() { json!(value) } else { json!(value.to_string()) };
    json!({ "probe": number, "value": text, *kind: element, "position": position }).to_string()
}

/// The kind of frames that a client gets from now on, and why.
pub(crate) fn chosen(mode: crate::Mode, because: &str) -> String {
    json!({ "mode": mode.number(), "because": because }).to_string()
}

/// The answer to a ping.
pub(crate) fn pong(number: u32) -> String {
    json!({ "pong": number }).to_string()
}

/// The state of a source that moves, after a control.
pub(crate) fn controlled(control: crate::Control) -> String {
    let word = match control {
        crate::Control::Play => "play",
        crate::Control::Pause => "pause",
        crate::Control::Step => "step",
    };
    json!({ "control": word }).to_string()
}
