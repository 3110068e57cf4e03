//! The named rule sets: one row each, with every name that clients use for it.

use super::{
    HandicapBonus, KoRule, Komi, LongCycle, Placement, Removal, Rules, Scoring, SekiTest, Suicide,
    Tax,
};

/// A named rule set.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its own name.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// One line for people.
    pub about: &'static str,
    /// The settings.
    pub rules: Rules,
}

/// The preset of this name or alias; `None` if there is none. Case, a trailing "rules" and all
/// but letters and digits do not count.
///
/// ```
/// assert_eq!(keima::rules::preset("New Zealand rules").map(|p| p.name), Some("new-zealand"));
/// ```
pub fn preset(name: &str) -> Option<&'static Preset> {
    let wanted = normalize(name);
    PRESETS.iter().find(|preset| {
        normalize(preset.name) == wanted || preset.aliases.iter().any(|a| normalize(a) == wanted)
    })
}

fn normalize(name: &str) -> String {
    let plain: String =
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    plain.strip_suffix("rules").unwrap_or(&plain).to_owned()
}

const fn points(points: i32) -> Komi {
    Komi::from_hundredths(100 * points)
}

/// `points` and a half.
const fn and_half(points: i32) -> Komi {
    Komi::from_hundredths(100 * points + 50)
}

/// What the presets have in common.
pub(super) const BASE: Rules = Rules {
    ko: KoRule::Positional,
    suicide: Suicide::None,
    scoring: Scoring::Area,
    tax: Tax::None,
    seki: SekiTest::Auto,
    removal: Removal::Agreement,
    button: false,
    first_pass_point: false,
    pass_stones: false,
    white_last: false,
    handicap_bonus: HandicapBonus::Zero,
    placement: Placement::Free,
    komi: and_half(7),
    komi_handicap: and_half(0),
    long_cycle: LongCycle::None,
    end_passes: 2,
};

const JAPANESE: Rules = Rules {
    ko: KoRule::Simple,
    scoring: Scoring::Territory,
    tax: Tax::Seki,
    placement: Placement::Fixed,
    komi: and_half(6),
    long_cycle: LongCycle::Void,
    ..BASE
};

const AGA: Rules = Rules {
    ko: KoRule::Situational,
    pass_stones: true,
    white_last: true,
    handicap_bonus: HandicapBonus::NMinusOne,
    placement: Placement::Fixed,
    ..BASE
};

/// Rule sets older than komi: simple ko, long cycles are draws.
const HISTORIC: Rules = Rules {
    ko: KoRule::Simple,
    komi: points(0),
    komi_handicap: points(0),
    long_cycle: LongCycle::Draw,
    ..BASE
};

/// Every preset, the default first.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "chinese",
        aliases: &["cn", "chinese-ogs", "chinese-kgs", "chinese2002", "weiqi", "kgs"],
        about: "area, positional superko, no suicide, komi 7.5, a point a handicap stone",
        rules: Rules::CHINESE,
    },
    Preset {
        name: "chinese-simple",
        aliases: &["chinese-tournament", "chinese-referee"],
        about: "chinese with simple ko, long cycles are draws, komi 7.5",
        rules: Rules {
            ko: KoRule::Simple,
            long_cycle: LongCycle::Draw,
            handicap_bonus: HandicapBonus::N,
            ..BASE
        },
    },
    Preset {
        name: "tromp-taylor",
        aliases: &["tt", "logical"],
        about: "area as the board stands, positional superko, suicide, komi 7.5",
        rules: Rules { suicide: Suicide::Multi, removal: Removal::None, ..BASE },
    },
    Preset {
        name: "basic",
        aliases: &["davies", "concise"],
        about: "the basic rules: as tromp-taylor, without komi",
        rules: Rules {
            suicide: Suicide::Multi,
            removal: Removal::None,
            komi: points(0),
            komi_handicap: points(0),
            ..BASE
        },
    },
    Preset {
        name: "basic-no-suicide",
        aliases: &["basic7a"],
        about: "the basic rules with rule 7A: no suicide",
        rules: Rules { removal: Removal::None, komi: points(0), komi_handicap: points(0), ..BASE },
    },
    Preset {
        name: "cgos",
        aliases: &[],
        about: "area as the board stands, positional superko, no suicide, komi 7",
        rules: Rules { removal: Removal::None, komi: points(7), komi_handicap: points(7), ..BASE },
    },
    Preset {
        name: "japanese",
        aliases: &["jp", "nihon-kiin", "japanese1989", "j1989"],
        about: "territory and prisoners, no points in seki, simple ko, komi 6.5",
        rules: JAPANESE,
    },
    Preset {
        name: "korean",
        aliases: &["kr", "kba", "baduk"],
        about: "as japanese, long cycles are draws",
        rules: Rules { long_cycle: LongCycle::Draw, ..JAPANESE },
    },
    Preset {
        name: "aga",
        aliases: &["bga", "british", "french", "ffg", "american"],
        about: "area (or territory with pass stones), situational superko, White passes last, komi 7.5",
        rules: AGA,
    },
    Preset {
        name: "aga-territory",
        aliases: &[],
        about: "aga counted as territory with pass stones",
        rules: Rules { scoring: Scoring::Territory, handicap_bonus: HandicapBonus::Zero, ..AGA },
    },
    Preset {
        name: "aga-button",
        aliases: &["button"],
        about: "area with a button: the first pass takes half a point; komi 7",
        rules: Rules {
            button: true,
            pass_stones: false,
            white_last: false,
            komi: points(7),
            ..AGA
        },
    },
    Preset {
        name: "ing",
        aliases: &["goe", "sst", "ing-sst"],
        about: "area (fill-in gives the same), suicide, positional superko, komi 7.5",
        rules: Rules { suicide: Suicide::Multi, ..BASE },
    },
    Preset {
        name: "simplified-ing",
        aliases: &["egf", "egf-area", "egf-simplified", "siming"],
        about: "area with dead stones agreed, suicide, positional superko, komi 7.5",
        rules: Rules { suicide: Suicide::Multi, ..BASE },
    },
    Preset {
        name: "egf-territory",
        aliases: &["european-japanese", "verbal-european-japanese"],
        about: "as japanese",
        rules: JAPANESE,
    },
    Preset {
        name: "new-zealand",
        aliases: &["nz", "nzgs"],
        about: "area, situational superko, suicide, komi 7",
        rules: Rules {
            ko: KoRule::Situational,
            suicide: Suicide::Multi,
            komi: points(7),
            komi_handicap: points(0),
            ..BASE
        },
    },
    Preset {
        name: "wmsg",
        aliases: &["wmsg2008", "world-mind-sports-games", "igf"],
        about: "area, positional superko, komi 6.5; White passing first costs Black a point",
        rules: Rules { first_pass_point: true, komi: and_half(6), ..BASE },
    },
    Preset {
        name: "stone-scoring",
        aliases: &["stone", "stones", "stones-only", "stone-counting"],
        about: "only stones count; simple ko, no komi",
        rules: Rules { scoring: Scoring::Stone, ..HISTORIC },
    },
    Preset {
        name: "ancient-area",
        aliases: &["ancient", "group-tax", "ancient-chinese"],
        about: "area with group tax: two points off for each living group; simple ko, no komi",
        rules: Rules { tax: Tax::All, ..HISTORIC },
    },
    Preset {
        name: "ancient-territory",
        aliases: &[],
        about: "territory with group tax; simple ko, no komi",
        rules: Rules {
            scoring: Scoring::Territory,
            tax: Tax::All,
            placement: Placement::Fixed,
            ..HISTORIC
        },
    },
    Preset {
        name: "beginner",
        aliases: &[],
        about: "the beginners' pages: territory, superko, suicide, komi 6.5, handicap on sides",
        rules: Rules {
            suicide: Suicide::Multi,
            scoring: Scoring::Territory,
            placement: Placement::Sides,
            komi: and_half(6),
            komi_handicap: points(0),
            ..BASE
        },
    },
];
