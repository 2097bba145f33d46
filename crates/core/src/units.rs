//! Times, sizes and numbers as people write them.

use std::time::Duration;

/// Reads a time with its unit: `100ms`, `2s`, `1.5s`, `1m`.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("'{text}' is no time: a number and ms, s or m, as in 500ms or 2s");
    let (number, seconds) = [("ms", 0.001), ("s", 1.0), ("m", 60.0)]
        .into_iter()
        .find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)))
        .ok_or_else(wrong)?;
    let number: f64 = plain_number(number).ok_or_else(wrong)?;
    let duration = Duration::try_from_secs_f64(number * seconds).map_err(|_| wrong())?;
    let possible = Duration::from_millis(1)..=Duration::from_secs(7 * 24 * 3600);
    if !possible.contains(&duration) {
        return Err(format!(
            "'{text}' is no time limit: it must be from 1ms to a week"
        ));
    }
    Ok(duration)
}

/// Reads a size with its unit: `64K`, `512M`, `2G`; a number alone is bytes.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || format!("'{text}' is no size: a number and K, M or G, as in 512M");
    let (number, unit) = [("K", 10), ("M", 20), ("G", 30)]
        .into_iter()
        .find_map(|(unit, bits)| Some((text.strip_suffix(unit)?, 1u64 << bits)))
        .unwrap_or((text, 1));
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong());
    }
    let number: u64 = number.parse().map_err(|_| wrong())?;
    match number.checked_mul(unit) {
        Some(0) => Err(format!("'{text}' leaves nothing; {}", wrong())),
        Some(size) if size < 1 << 60 => Ok(size),
        _ => Err(format!("'{text}' is more than any machine has")),
    }
}

/// A time as [`parse_duration`] reads it, in the largest unit that leaves no fraction.
pub fn print_duration(duration: Duration) -> String {
    match duration.as_millis() {
        millis if millis % 60_000 == 0 && millis > 0 => format!("{}m", millis / 60_000),
        millis if millis % 1_000 == 0 => format!("{}s", millis / 1_000),
        millis => format!("{millis}ms"),
    }
}

/// A size as [`parse_size`] reads it, in the largest unit that leaves no fraction.
pub fn print_size(bytes: u64) -> String {
    let units = [("G", 30), ("M", 20), ("K", 10)];
    let unit = units
        .into_iter()
        .find(|(_, bits)| bytes > 0 && bytes.is_multiple_of(1 << bits));
    unit.map_or_else(
        || bytes.to_string(),
        |(unit, bits)| format!("{}{unit}", bytes >> bits),
    )
}

/// A whole number with its thousands set apart: 1,234,567.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of digits and at most one point, nothing else that `f64` would read.
fn plain_number(text: &str) -> Option<f64> {
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    if plain { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(parse_duration("100ms"), Ok(Duration::from_millis(100)));
        assert_eq!(parse_duration("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(parse_duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_duration("1m"), Ok(Duration::from_secs(60)));
        for text in [
            "",
            "2",
            "s",
            "-1s",
            "1e3s",
            "infs",
            "0s",
            "nans",
            "99999999m",
            "1h",
            " 1s",
        ] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_printed_is_read() {
        for text in ["1ms", "999ms", "2s", "90s", "1m", "10m"] {
            let duration = parse_duration(text).expect("a time");
            assert_eq!(print_duration(duration), text);
        }
        for text in ["1", "1025", "64K", "512M", "2G"] {
            assert_eq!(print_size(parse_size(text).expect("a size")), text);
        }
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(parse_size("64K"), Ok(64 << 10));
        assert_eq!(parse_size("512M"), Ok(512 << 20));
        assert_eq!(parse_size("2G"), Ok(2 << 30));
        assert_eq!(parse_size("100"), Ok(100));
        for text in [
            "",
            "K",
            "0",
            "0M",
            "-1",
            "1.5G",
            "99999999999G",
            "1KB",
            "+5",
        ] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
