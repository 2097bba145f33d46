//! The same as JSON, for programs.
//!
//! Every route stands once, in [`ROUTES`]: from there come the router and the OpenAPI document. What is
//! sent and taken describes itself.

mod contests;
mod described;
mod events;
mod records;
mod tables;
mod types;

use std::sync::Arc;

use axum::response::Response;
use axum::routing::{MethodRouter, get, post};
use serde_json::{Map, Value, json};

use crate::Room;
use crate::refusal::plain;
use crate::routes::Routes;
use contests::{ContestListed, ContestSeen, FaultSeen, FaultsSeen};
use described::Described;
use records::{RecordSeen, RecordWhole};
use types::{
    Founded, Game, Hint, HintAsked, MoveSent, NewTable, NotMadeSeen, Refused, SeatChange, TableSeen,
};

type Schema = fn(&mut Map<String, Value>) -> Value;

/// One thing that can be asked for.
struct Route {
    method: &'static str,
    path: &'static str,
    about: &'static str,
    /// What is taken.
    takes: Option<Schema>,
    /// What is sent when it goes well: the status, the kind of content, its schema.
    sends: (u16, &'static str, Schema),
    /// What is sent when it does not.
    refuses: &'static [(u16, Schema)],
    handler: fn() -> MethodRouter<Arc<Room>>,
}

const JSON: &str = "application/json";

const REFUSED: Schema = Refused::schema;

const NO_RECORD: &[(u16, Schema)] = &[(404, REFUSED), (409, REFUSED), (422, REFUSED)];

const ROUTES: &[Route] = &[
    Route {
        method: "GET",
        path: "/api/openapi.json",
        about: "This document",
        takes: None,
        sends: (200, JSON, Value::schema),
        refuses: &[],
        handler: || get(show_document),
    },
    Route {
        method: "GET",
        path: "/api/games",
        about: "The games, with their options and who can play them",
        takes: None,
        sends: (200, JSON, Vec::<Game>::schema),
        refuses: &[],
        handler: || get(tables::games),
    },
    Route {
        method: "GET",
        path: "/api/tables",
        about: "The tables that are open, the newest first",
        takes: None,
        sends: (200, JSON, Vec::<TableSeen>::schema),
        refuses: &[],
        handler: || get(tables::all),
    },
    Route {
        method: "POST",
        path: "/api/tables",
        about: "Sets up a table",
        takes: Some(NewTable::schema),
        sends: (201, JSON, Founded::schema),
        refuses: &[(400, REFUSED), (404, REFUSED), (503, REFUSED)],
        handler: || post(tables::found),
    },
    Route {
        method: "GET",
        path: "/api/tables/{id}",
        about: "A table as you see it",
        takes: None,
        sends: (200, JSON, TableSeen::schema),
        refuses: &[(404, REFUSED)],
        handler: || get(tables::show),
    },
    Route {
        method: "POST",
        path: "/api/tables/{id}/moves",
        about: "Makes a move for your seat",
        takes: Some(MoveSent::schema),
        sends: (200, JSON, TableSeen::schema),
        refuses: &[
            (400, REFUSED),
            (403, REFUSED),
            (404, REFUSED),
            (409, NotMadeSeen::schema),
            (422, NotMadeSeen::schema),
            (503, NotMadeSeen::schema),
        ],
        handler: || post(tables::play),
    },
    Route {
        method: "POST",
        path: "/api/tables/{id}/hint",
        about: "Asks the expert about your turn",
        takes: Some(HintAsked::schema),
        sends: (200, JSON, Hint::schema),
        refuses: &[
            (403, REFUSED),
            (404, REFUSED),
            (409, REFUSED),
            (503, REFUSED),
        ],
        handler: || post(tables::hint),
    },
    Route {
        method: "POST",
        path: "/api/tables/{id}/seats/{seat}",
        about: "Sits down, gives an absent person's seat to a built-in player, or takes it back",
        takes: Some(SeatChange::schema),
        sends: (200, JSON, Founded::schema),
        refuses: &[
            (400, REFUSED),
            (403, REFUSED),
            (404, REFUSED),
            (409, REFUSED),
        ],
        handler: || post(tables::reseat),
    },
    Route {
        method: "GET",
        path: "/api/tables/{id}/events",
        about: "What happens at the table, as you may hear it, as server-sent events from the first on, \
                or after Last-Event-ID",
        takes: None,
        sends: (200, "text/event-stream", Value::schema),
        refuses: &[(404, REFUSED)],
        handler: || get(events::stream),
    },
    Route {
        method: "GET",
        path: "/api/tables/{id}/record",
        about: "The record of a game that is over, as JSON lines",
        takes: None,
        sends: (200, "application/x-ndjson", Value::schema),
        refuses: &[(404, REFUSED), (409, REFUSED)],
        handler: || get(tables::record),
    },
    Route {
        method: "GET",
        path: "/api/contests",
        about: "The contests in the folders that the server was given",
        takes: None,
        sends: (200, JSON, Vec::<ContestListed>::schema),
        refuses: &[(503, REFUSED)],
        handler: || get(contests::all),
    },
    Route {
        method: "GET",
        path: "/api/contests/{name}",
        about: "A contest as it stands, also while it is played",
        takes: None,
        sends: (200, JSON, ContestSeen::schema),
        refuses: &[(404, REFUSED), (409, REFUSED), (503, REFUSED)],
        handler: || get(contests::show),
    },
    Route {
        method: "GET",
        path: "/api/contests/{name}/faults",
        about: "Faults that a contest keeps, up to 1,000 at once; ?player=, ?kind= and ?skip= choose which",
        takes: None,
        sends: (200, JSON, FaultsSeen::schema),
        refuses: &[
            (400, REFUSED),
            (404, REFUSED),
            (409, REFUSED),
            (503, REFUSED),
        ],
        handler: || get(contests::faults),
    },
    Route {
        method: "GET",
        path: "/api/contests/{name}/faults/{id}",
        about: "A fault with everything that belongs to it",
        takes: None,
        sends: (200, JSON, FaultSeen::schema),
        refuses: &[(404, REFUSED), (409, REFUSED), (503, REFUSED)],
        handler: || get(contests::fault),
    },
    Route {
        method: "GET",
        path: "/api/records",
        about: "The recorded games on the shelf, and those of tables that are over",
        takes: None,
        sends: (200, JSON, Vec::<RecordSeen>::schema),
        refuses: &[],
        handler: || get(records::all),
    },
    Route {
        method: "GET",
        path: "/api/records/{kind}/{name}",
        about: "A recorded game",
        takes: None,
        sends: (200, JSON, RecordWhole::schema),
        refuses: NO_RECORD,
        handler: || get(records::show),
    },
    Route {
        method: "GET",
        path: "/api/records/{kind}/{name}/events",
        about: "A recorded game: everything that happened",
        takes: None,
        sends: (200, JSON, Vec::<Value>::schema),
        refuses: NO_RECORD,
        handler: || get(records::events),
    },
    Route {
        method: "GET",
        path: "/api/records/{kind}/{name}/seats/{seat}/events",
        about: "A recorded game: what this seat heard of it",
        takes: None,
        sends: (200, JSON, Vec::<Value>::schema),
        refuses: NO_RECORD,
        handler: || get(records::heard),
    },
    Route {
        method: "GET",
        path: "/api/records/{kind}/{name}/text",
        about: "A recorded game as JSON lines, from which it can be played again",
        takes: None,
        sends: (200, "application/x-ndjson", Value::schema),
        refuses: NO_RECORD,
        handler: || get(records::text),
    },
    Route {
        method: "GET",
        path: "/api/records/{kind}/{name}/{game}",
        about: "A recorded game of a contest",
        takes: None,
        sends: (200, JSON, RecordWhole::schema),
        refuses: NO_RECORD,
        handler: || get(records::show),
    },
    Route {
        method: "GET",
        path: "/api/records/{kind}/{name}/{game}/events",
        about: "A recorded game of a contest: everything that happened",
        takes: None,
        sends: (200, JSON, Vec::<Value>::schema),
        refuses: NO_RECORD,
        handler: || get(records::events),
    },
    Route {
        method: "GET",
        path: "/api/records/{kind}/{name}/{game}/seats/{seat}/events",
        about: "A recorded game of a contest: what this seat heard of it",
        takes: None,
        sends: (200, JSON, Vec::<Value>::schema),
        refuses: NO_RECORD,
        handler: || get(records::heard),
    },
    Route {
        method: "GET",
        path: "/api/records/{kind}/{name}/{game}/text",
        about: "A recorded game of a contest as JSON lines, from which it can be played again",
        takes: None,
        sends: (200, "application/x-ndjson", Value::schema),
        refuses: NO_RECORD,
        handler: || get(records::text),
    },
];

/// Everything under `/api/`.
pub(crate) fn routes(routes: Routes) -> Routes {
    ROUTES.iter().fold(routes, |routes, route| {
        routes.add(route.method, route.path, (route.handler)())
    })
}

async fn show_document() -> Response {
    plain(JSON, document().to_string())
}

/// The OpenAPI document.
fn document() -> Value {
    let mut named = Map::new();
    let mut paths = Map::new();
    for route in ROUTES {
        let operation = operation(route, &mut named);
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        if let Some(path) = path.as_object_mut() {
            path.insert(route.method.to_lowercase(), operation);
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Croupier",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Tables of card games. What you may see depends on your seat: set up a table \
                or join one, keep the token, and send it along.",
        },
        "paths": paths,
        "components": {
            "schemas": named,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    })
}

fn operation(route: &Route, named: &mut Map<String, Value>) -> Value {
    let mut content = |kind: &str, schema: Schema| json!({kind: {"schema": schema(named)}});
    let (status, kind, sends) = route.sends;
    let mut responses = Map::new();
    let well = json!({"description": "It went well.", "content": content(kind, sends)});
    responses.insert(status.to_string(), well);
    for (status, schema) in route.refuses {
        let refused = json!({"description": "It was refused.", "content": content(JSON, *schema)});
        responses.insert(status.to_string(), refused);
    }
    let mut operation = json!({"summary": route.about, "responses": responses});
    if let Some(takes) = route.takes {
        operation["requestBody"] = json!({"required": true, "content": content(JSON, takes)});
    }
    let parameters = route.path.split('/').filter_map(|part| {
        let name = part.strip_prefix('{')?.strip_suffix('}')?;
        let schema = json!({"type": if name == "seat" { "integer" } else { "string" }});
        Some(json!({"name": name, "in": "path", "required": true, "schema": schema}))
    });
    let parameters: Vec<Value> = parameters.collect();
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    operation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_is_in_the_document_and_every_name_in_it_is_described() {
        let document = document();
        for route in ROUTES {
            let operation = &document["paths"][route.path][route.method.to_lowercase()];
            assert_eq!(operation["summary"], route.about, "{}", route.path);
        }
        let text = document.to_string();
        for used in text.split("#/components/schemas/").skip(1) {
            let name = used.split('"').next().unwrap_or_default();
            let schema = &document["components"]["schemas"][name];
            assert_eq!(schema["type"], "object", "{name}");
            assert!(
                !schema["description"]
                    .as_str()
                    .unwrap_or_default()
                    .is_empty(),
                "{name}"
            );
        }
    }
}
