//! Which programs can be forked from a template in place of being started anew, and what makes a
//! template of them.
//!
//! Into a program in C or C++ a small piece of our own is linked ([`PIECE`]), statically, that runs
//! before all of the program's own code: before its constructors too, which therefore run in every
//! process as they always do. What the C library does before that must be the C library's alone. A
//! program that has a say in it does not fit, and is started the ordinary way.
//!
//! An interpreter reads and compiles its program first, and calls the same piece as a library ([`LIBRARY`]).

use std::collections::BTreeSet;

use object::elf::STT_GNU_IFUNC;
use object::read::elf::{FileHeader as _, SectionHeader as _, Sym as _};
use object::{Endianness, elf};

/// The piece that is linked into a program, in C.
pub(crate) const PIECE: &str = include_str!("template/template.c");

/// The same as a library, for an interpreter.
pub(crate) const LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/template.so"));

/// What the interpreter of a program in Python is given in its place: the library and the program follow.
pub(crate) const IN_PYTHON: &str = include_str!("template/template.py");

/// A program that does nothing: what is linked with it is what runs before any program.
pub(crate) const NOTHING: &str = "int main(void) { return 0; }\n";

/// The sections that a compiler makes. What else there is may have a meaning to the linker.
const USUAL: &[&str] = &[
    ".text",
    ".data",
    ".rodata",
    ".bss",
    ".tdata",
    ".tbss",
    ".lbss",
    ".ldata",
    ".lrodata",
    ".init_array",
    ".fini_array",
    ".ctors",
    ".dtors",
    ".gcc_except_table",
    ".eh_frame",
    ".debug",
    ".comment",
    ".note.GNU-stack",
    ".note.gnu.property",
    ".group",
    ".symtab",
    ".strtab",
    ".shstrtab",
    ".symtab_shndx",
];

/// Relocations whose value is found by calling a function, on the processors that we know.
const CALLED: &[elf::RelocationType] = &[elf::R_X86_64_IRELATIVE, elf::R_AARCH64_IRELATIVE];

type Header = elf::FileHeader64<Endianness>;

/// Whether nothing of a compiled program runs before the piece does: it is an ordinary object,
/// without relocations that call functions (IFUNCs), and has no function or variable under a name that
/// the beginning of every program uses.
pub(crate) fn fits(program: &[u8], beginning: &BTreeSet<Vec<u8>>) -> bool {
    is_usual(program, beginning).unwrap_or(false)
}

fn is_usual(program: &[u8], beginning: &BTreeSet<Vec<u8>>) -> Result<bool, object::read::Error> {
    let header = Header::parse(program)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, program)?;
    for section in sections.iter().skip(1) {
        let name = sections.section_name(endian, section)?;
        let is_usual = |usual: &&str| {
            let rest = name.strip_prefix(usual.as_bytes());
            rest.is_some_and(|rest| matches!(rest.first(), None | Some(b'.' | b'_')))
        };
        if let Some((relocations, _)) = section.rela(endian, program)? {
            let mut kinds = relocations.iter().map(|one| one.r_type(endian, false));
            if kinds.any(|kind| CALLED.contains(&kind)) {
                return Ok(false);
            }
        } else if !USUAL.iter().any(is_usual) {
            return Ok(false);
        }
    }
    let symbols = sections.symbols(endian, program, elf::SHT_SYMTAB)?;
    let mut has_main = false;
    for symbol in symbols.iter() {
        if symbol.st_type() == STT_GNU_IFUNC {
            return Ok(false);
        }
        if symbol.is_undefined(endian) || symbol.is_local() {
            continue;
        }
        let name = symbol.name(endian, symbols.strings())?;
        // What follows an at sign is the version of a name, which may be that of any other.
        let is_taken = name.contains(&b'@') || beginning.contains(name);
        match name {
            b"main" => has_main = true,
            _ if is_taken => return Ok(false),
            _ => {}
        }
    }
    Ok(has_main)
}

/// All names in a linked program.
pub(crate) fn names(program: &[u8]) -> Option<BTreeSet<Vec<u8>>> {
    let header = Header::parse(program).ok()?;
    let endian = header.endian().ok()?;
    let sections = header.sections(endian, program).ok()?;
    let symbols = sections.symbols(endian, program, elf::SHT_SYMTAB).ok()?;
    let names = symbols
        .iter()
        .map(|symbol| symbol.name(endian, symbols.strings()));
    names.map(|name| name.ok().map(<[u8]>::to_vec)).collect()
}
