//! The API keeps to its own description.

use serde_json::{Value, json};

use crate::hall::Hall;

/// What is wrong with a value by a schema of the document; nothing if all is right.
pub(crate) fn wrong(document: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let schema = document.pointer(&name[1..]).expect("it is described");
        return wrong(document, schema, value, at);
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let fits = any
            .iter()
            .any(|schema| wrong(document, schema, value, at).is_empty());
        return if fits {
            vec![]
        } else {
            vec![format!("{at}: {value} is none of {any:?}")]
        };
    }
    let right = match schema["type"].as_str() {
        None => true,
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some(other) => panic!("{other}"),
    };
    if !right {
        return vec![format!("{at}: {value} is no {}", schema["type"])];
    }
    let mut found = Vec::new();
    for item in value.as_array().into_iter().flatten() {
        if schema["items"].is_object() {
            found.extend(wrong(document, &schema["items"], item, &format!("{at}[]")));
        }
    }
    if let (Some(fields), Some(known)) = (value.as_object(), schema["properties"].as_object()) {
        for (name, value) in fields {
            match known.get(name) {
                Some(schema) => {
                    found.extend(wrong(document, schema, value, &format!("{at}.{name}")));
                }
                None => found.push(format!("{at}.{name} is not described")),
            }
        }
        for name in schema["required"].as_array().into_iter().flatten() {
            if !fields.contains_key(name.as_str().unwrap_or_default()) {
                found.push(format!("{at}.{name} is missing"));
            }
        }
    }
    found
}

#[test]
fn what_is_answered_is_what_is_described() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let mut ann = hall.stranger();
    let document = ann.get("/api/openapi.json").expect(200).json();
    assert_eq!(document["openapi"], "3.1.0");
    let made = ann.post_json("/api/tables", &json!({"game": "intensity", "seed": "4"}));
    let table = made.json()["table"].clone();
    let (id, version) = (
        table["id"].as_str().expect("an id").to_owned(),
        table["version"].clone(),
    );
    let choice = table["legal"][0].clone();
    let sent = json!({"version": version, "nonce": "a", "move": choice});
    let steps = [
        ("get", "/api/games", Value::Null, 200),
        ("get", "/api/tables", Value::Null, 200),
        ("post", "/api/tables", json!({"game": "uno"}), 201),
        ("post", "/api/tables", json!({"game": "chess"}), 404),
        (
            "post",
            "/api/tables",
            json!({"game": "uno", "seats": []}),
            400,
        ),
        ("post", "/api/tables", json!({"name": 7}), 400),
        ("get", "/api/tables/{id}", Value::Null, 200),
        (
            "post",
            "/api/tables/{id}/hint",
            json!({"version": version}),
            200,
        ),
        ("post", "/api/tables/{id}/hint", json!({"version": 99}), 409),
        (
            "post",
            "/api/tables/{id}/moves",
            json!({"version": version, "nonce": "", "move": "x"}),
            400,
        ),
        (
            "post",
            "/api/tables/{id}/moves",
            json!({"version": version, "nonce": "b", "move": "x"}),
            422,
        ),
        ("post", "/api/tables/{id}/moves", sent.clone(), 200),
        ("post", "/api/tables/{id}/moves", sent, 200),
        (
            "post",
            "/api/tables/{id}/moves",
            json!({"version": 0, "nonce": "c", "move": "x"}),
            409,
        ),
        ("get", "/api/tables/{id}/record", Value::Null, 409),
        ("get", "/api/tables/ffffffffffffffff", Value::Null, 404),
        (
            "post",
            "/api/tables/{id}/seats/{seat}",
            json!({"how": "give"}),
            409,
        ),
        (
            "post",
            "/api/tables/{id}/seats/{seat}",
            json!({"how": "?"}),
            400,
        ),
    ];
    for (method, path, body, status) in steps {
        let place = path.replace("{id}", &id).replace("{seat}", "0");
        let answer = match method {
            "get" => ann.get(&place),
            _ => ann.post_json(&place, &body),
        };
        let answer = answer.expect(status);
        let described = path.replace("ffffffffffffffff", "{id}");
        let operation = &document["paths"][&described][method];
        let schema =
            &operation["responses"][status.to_string()]["content"]["application/json"]["schema"];
        assert!(!schema.is_null(), "{method} {path} {status} is described");
        let found = wrong(&document, schema, &answer.json(), path);
        assert!(found.is_empty(), "{found:#?}");
    }
}

/// A program plays a whole game with nothing but a token.
#[test]
fn a_program_plays_with_its_token_and_hears_what_happens() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let program = hall.stranger();
    let content = ("content-type", "application/json");
    let wanted = json!({"game": "friday13", "seed": "8"}).to_string();
    let made = program
        .ask("POST", "/api/tables", &[content], &wanted)
        .expect(201)
        .json();
    let token = format!("Bearer {}", made["token"].as_str().expect("a token"));
    let headers = [content, ("authorization", token.as_str())];
    let place = format!(
        "/api/tables/{}",
        made["table"]["id"].as_str().expect("an id")
    );
    let mut table = made["table"].clone();
    let mut moves = 0;
    while table["outcome"].is_null() {
        if let Some(choice) = table["legal"].get(0) {
            let sent = json!({"version": table["version"], "nonce": "n", "move": choice});
            program
                .ask(
                    "POST",
                    &format!("{place}/moves"),
                    &headers,
                    &sent.to_string(),
                )
                .expect(200);
            moves += 1;
        }
        table = program.ask("GET", &place, &headers, "").expect(200).json();
    }
    assert!(moves > 3);
    // The stream of a game that is over ends by itself.
    let stream = program
        .ask("GET", &format!("{place}/events"), &headers, "")
        .expect(200);
    let events: Vec<&str> = stream
        .body
        .lines()
        .filter(|line| line.starts_with("data: "))
        .collect();
    assert_eq!(
        events.len(),
        table["version"].as_u64().expect("a version") as usize + 1
    );
    assert!(events[events.len() - 1].contains("\"line\":\"outcome\""));
    let later = [("last-event-id", "5"), ("authorization", token.as_str())];
    let rest = program
        .ask("GET", &format!("{place}/events"), &later, "")
        .expect(200);
    assert!(
        rest.body.starts_with("id: 6\n") || rest.body.contains("\nid: 6\n"),
        "{}",
        rest.body
    );
}
