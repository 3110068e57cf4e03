//! What the client of the Computer Go Server tells. None of it may fail: the client gives up then.

use crate::gtp::registry::Command;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "cgos-opponent_name",
        "NAME",
        "tells who the opponent is, for game records",
        |session, args| {
            session.record_mut().opponent.name = Some(args.rest().to_owned());
            Ok(String::new())
        },
    ),
    Command::new(
        "cgos-opponent_rating",
        "RATING",
        "tells how strong the opponent is, for game records",
        |session, args| {
            session.record_mut().opponent.rating = Some(args.rest().to_owned());
            Ok(String::new())
        },
    ),
    Command::new(
        "cgos-gameover",
        "RESULT",
        "tells how the game ended, for game records; ends pondering",
        |session, args| {
            log::info!("the game is over: {}", args.rest());
            session.record_mut().result = Some(args.rest().to_owned());
            session.stop_pondering();
            Ok(String::new())
        },
    ),
];
