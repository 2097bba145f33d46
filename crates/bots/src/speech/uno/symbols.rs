//! What functions a shared object has: read from its table of symbols, without loading it.

use object::{Object as _, ObjectSymbol as _, SymbolKind};

/// The four functions of a strategy, without their prefix.
pub(super) const FUNCTIONS: [&str; 4] = ["CreateDeck", "ShuffleDeck", "ValidSelection", "Play"];

/// The functions of a strategy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Functions {
    /// What comes before the underscore in their names.
    pub(super) prefix: String,
    /// Those of the four that are not there.
    pub(super) missing: Vec<&'static str>,
}

impl Functions {
    /// The functions in these bytes of a shared object, or why a strategy cannot be made of them.
    pub(super) fn in_object(bytes: &[u8]) -> Result<Functions, String> {
        let object = object::File::parse(bytes).map_err(|_| {
            "it is no shared object; a program of another kind speaks JSON lines, with json: \
             before its path"
                .to_owned()
        })?;
        let symbols = object.dynamic_symbols();
        let names: Vec<&str> = symbols
            .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition())
            .filter_map(|symbol| symbol.name().ok())
            .collect();
        let playing = names.iter().filter_map(|name| name.strip_suffix("_Play"));
        let playing: Vec<&str> = playing.filter(|prefix| !prefix.is_empty()).collect();
        let mut prefixes = playing.clone();
        prefixes.retain(|name| !playing.iter().any(|prefix| is_helper(name, prefix)));
        prefixes.sort_unstable();
        match prefixes[..] {
            [prefix] => {
                let is_missing =
                    |name: &&str| !names.contains(&format!("{prefix}_{name}").as_str());
                Ok(Functions {
                    prefix: prefix.to_owned(),
                    missing: FUNCTIONS.into_iter().filter(is_missing).collect(),
                })
            }
            [] => {
                let is_mangled = |name: &&str| name.starts_with("_Z") && name.contains("_Play");
                let hint = match names.iter().any(is_mangled) {
                    true => "; in C++ it is declared with extern \"C\" before it",
                    false => "",
                };
                Err(format!(
                    "it has no function whose name ends with _Play, such as abcd001_Play{hint}"
                ))
            }
            _ => Err(format!(
                "one strategy is wanted, and it has several: {}",
                prefixes
                    .iter()
                    .map(|prefix| format!("{prefix}_Play"))
                    .collect::<Vec<_>>()
                    .join(", ")
            )),
        }
    }
}

/// Whether a function with this name helps the strategy with that prefix: all functions of a
/// strategy have its prefix.
fn is_helper(name: &str, prefix: &str) -> bool {
    let rest = name.strip_prefix(prefix);
    rest.is_some_and(|rest| rest.starts_with('_'))
}
