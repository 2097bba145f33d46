//! Types of the API that describe themselves: what is sent and its JSON schema come from one
//! definition.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// A type with a JSON schema.
pub(crate) trait Described {
    /// Whether it may be missing.
    const OPTIONAL: bool = false;

    /// How it is described where it is used; named schemas add themselves to `named`.
    fn schema(named: &mut Map<String, Value>) -> Value;
}

macro_rules! plain {
    ($($type:ty => $schema:tt,)*) => {$(
        impl Described for $type {
            fn schema(_: &mut Map<String, Value>) -> Value {
                json!($schema)
            }
        }
    )*};
}

plain! {
    String => {"type": "string"},
    &'static str => {"type": "string"},
    bool => {"type": "boolean"},
    usize => {"type": "integer", "minimum": 0},
    u64 => {"type": "integer", "minimum": 0},
    u16 => {"type": "integer", "minimum": 0},
    i64 => {"type": "integer"},
    f64 => {"type": "number"},
    Value => {},
}

impl<T: Described> Described for Option<T> {
    const OPTIONAL: bool = true;

    fn schema(named: &mut Map<String, Value>) -> Value {
        json!({"anyOf": [T::schema(named), {"type": "null"}]})
    }
}

impl<T: Described> Described for Vec<T> {
    fn schema(named: &mut Map<String, Value>) -> Value {
        json!({"type": "array", "items": T::schema(named)})
    }
}

impl<T: Described> Described for BTreeMap<String, T> {
    fn schema(named: &mut Map<String, Value>) -> Value {
        json!({"type": "object", "additionalProperties": T::schema(named)})
    }
}

/// Makes a struct that is sent as JSON, with its schema. The comments are part of the schema.
macro_rules! described {
    ($(#[doc = $about:literal])* $name:ident {
        $($(#[doc = $doc:literal])* $field:ident $(as $key:literal)?: $type:ty,)*
    }) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
        pub(crate) struct $name {
            $($(#[doc = $doc])* $(#[serde(rename = $key)])? pub(crate) $field: $type,)*
        }

        impl $crate::api::described::Described for $name {
            fn schema(
                named: &mut serde_json::Map<String, serde_json::Value>,
            ) -> serde_json::Value {
                use $crate::api::described::{field, object};
                if !named.contains_key(stringify!($name)) {
                    // A name that is used inside its own schema is found there.
                    named.insert(stringify!($name).to_owned(), serde_json::Value::Null);
                    let fields = vec![$(field::<$type>(
                        [stringify!($field) $(, $key)?].last().copied().unwrap_or_default(),
                        [$($doc),*].concat(),
                        named,
                    )),*];
                    let schema = object([$($about),*].concat(), fields);
                    named.insert(stringify!($name).to_owned(), schema);
                }
                let place = concat!("#/components/schemas/", stringify!($name));
                serde_json::json!({"$ref": place})
            }
        }
    };
}

pub(crate) use described;

/// A field of an object: its name, its schema, and whether it must be there.
pub(crate) fn field<T: Described>(
    name: &'static str,
    about: String,
    named: &mut Map<String, Value>,
) -> (&'static str, Value, bool) {
    let mut schema = T::schema(named);
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("description".to_owned(), about.trim().into());
    }
    (name, schema, !T::OPTIONAL)
}

/// The schema of an object.
pub(crate) fn object(about: String, fields: Vec<(&'static str, Value, bool)>) -> Value {
    let needed = fields.iter().filter(|(_, _, needed)| *needed);
    let needed: Vec<&str> = needed.map(|(name, ..)| *name).collect();
    let fields = fields.into_iter();
    let fields: Map<String, Value> = fields
        .map(|(name, schema, _)| (name.to_owned(), schema))
        .collect();
    json!({
        "type": "object",
        "description": about.trim(),
        "properties": fields,
        "required": needed,
    })
}
