//! Searches that are shown while they run: those of Leela Zero, KataGo, Sabaki and CGOS.

mod args;

use args::AnalyzeArgs;

use super::play;
use crate::analysis::{self, View};
use crate::board::{Color, Move, Point};
use crate::engine::{Decision, Limits, Observer, Report, Request, Restrictions};
use crate::game::Game;
use crate::gtp::args::Args;
use crate::gtp::registry::Command;
use crate::gtp::response::{Answer, Failure, Stream};
use crate::gtp::session::{Session, Stopwatch};

const USAGE: &str = "[COLOR] [CENTISECONDS] [KEY VALUE]...";

pub(super) const COMMANDS: &[Command] = &[
    Command::streaming(
        "lz-analyze",
        USAGE,
        "shows what the search finds until the next line of input, every so many hundredths of a \
         second, as Leela Zero does",
        |session, args, stream| analyze(session, args, stream, Dialect::Lz),
    )
    .with_details(keys)
    .varying(),
    Command::streaming(
        "kata-analyze",
        USAGE,
        "the same as KataGo does: with scores and, on demand, ownership",
        |session, args, stream| analyze(session, args, stream, Dialect::Kata),
    )
    .with_details(more_keys)
    .varying(),
    Command::streaming(
        "analyze",
        USAGE,
        "the same for Sabaki: the rates of lz-analyze, scores, and the keys of kata-analyze",
        |session, args, stream| analyze(session, args, stream, Dialect::Plain),
    )
    .with_details(more_keys)
    .varying(),
    Command::streaming(
        "lz-genmove_analyze",
        USAGE,
        "genmove with lines as of lz-analyze, then `play` and the move",
        |session, args, stream| genmove(session, args, stream, Dialect::Lz),
    )
    .with_details(keys)
    .varying(),
    Command::streaming(
        "kata-genmove_analyze",
        USAGE,
        "genmove with lines as of kata-analyze, then `play` and the move",
        |session, args, stream| genmove(session, args, stream, Dialect::Kata),
    )
    .with_details(more_keys)
    .varying(),
    Command::streaming(
        "genmove_analyze",
        USAGE,
        "genmove with lines as of analyze, then `play` and the move",
        |session, args, stream| genmove(session, args, stream, Dialect::Plain),
    )
    .with_details(more_keys)
    .varying(),
    Command::streaming(
        "cgos-genmove_analyze",
        "COLOR",
        "genmove with the analysis as one line of JSON, then `play` and the move",
        |session, args, stream| genmove(session, args, stream, Dialect::Cgos),
    ),
    Command::new(
        "kata-search",
        "[COLOR]",
        "answers with the move that genmove would make, or resign, without making it",
        |session, args| silent_search(session, args, false),
    ),
    Command::new(
        "kata-search_cancellable",
        "[COLOR]",
        "as kata-search, but any line of input ends it with the answer `cancelled`",
        |session, args| silent_search(session, args, true),
    ),
    Command::streaming(
        "kata-search_analyze",
        USAGE,
        "as kata-genmove_analyze, without making the move",
        |session, args, stream| search(session, args, stream, false),
    )
    .with_details(more_keys)
    .varying(),
    Command::streaming(
        "kata-search_analyze_cancellable",
        USAGE,
        "as kata-search_analyze, but any line of input ends it with `play cancelled`",
        |session, args, stream| search(session, args, stream, true),
    )
    .with_details(more_keys)
    .varying(),
];

/// Whose words a command uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Lz,
    Plain,
    Kata,
    Cgos,
}

impl Dialect {
    /// Whether the arguments may ask for fields such as the ownership.
    fn has_fields(self) -> bool {
        matches!(self, Self::Kata | Self::Plain)
    }

    fn line(self, report: &Report, view: &View) -> String {
        match self {
            Self::Lz => analysis::lz(report, view),
            Self::Plain => analysis::plain(report, view),
            Self::Kata => analysis::kata(report, view),
            Self::Cgos => analysis::cgos(report, view.size),
        }
    }
}

fn keys() -> String {
    "keys: interval N (as CENTISECONDS), minmoves N, maxmoves N, avoid COLOR VERTICES PLIES (more than \
     once), allow COLOR VERTICES PLIES; VERTICES as A1,C3:D5,pass"
        .to_owned()
}

fn more_keys() -> String {
    keys()
        + "\nkeys with true or false: rootInfo, ownership, ownershipStdev, movesOwnership, \
           movesOwnershipStdev, pvVisits, pvEdgeVisits, noResultValue"
}

/// How to show a search, and for whom.
struct Show {
    dialect: Dialect,
    view: View,
    wish: AnalyzeArgs,
    color: Color,
}

impl Show {
    fn new(session: &mut Session, args: &Args<'_>, dialect: Dialect) -> Result<Self, Failure> {
        let size = session.size();
        let wish = AnalyzeArgs::parse(args, size, dialect.has_fields())?;
        let color = wish.color.unwrap_or_else(|| session.game().to_play());
        if !has_move(session.game(), color, &wish.restrictions) {
            return Err(Failure::new("no allowed vertex"));
        }
        let view = View {
            size,
            side: session.engine().config().perspective.side(color),
            moves_min: wish.moves_min,
            moves_max: wish.moves_max.unwrap_or(usize::MAX),
            fields: wish.fields,
        };
        Ok(Self { dialect, view, wish, color })
    }

    /// Writes a report's line, if there is anything to tell; `false` if nobody can read it.
    fn write(&self, report: &Report, stream: &mut Stream<'_>) -> bool {
        let line = self.dialect.line(report, &self.view);
        line.is_empty() || stream.line(&line)
    }

    fn observer<'a>(&self, show: &'a mut dyn FnMut(&Report) -> bool) -> Observer<'a> {
        let AnalyzeArgs { interval, fields, .. } = self.wish;
        let wants_move_owners = fields.moves_ownership || fields.moves_ownership_deviation;
        Observer { interval, wants_move_owners, show }
    }

    fn request<'a, 'o>(&self, limits: Limits, observer: &'a mut Observer<'o>) -> Request<'a, 'o> {
        let restrictions = self.wish.restrictions.clone();
        Request::new(self.color, limits).restricted(restrictions).observed(observer)
    }

    /// Chooses a move in public. There is a line about it also if no interval went by.
    fn choose(
        &self,
        session: &mut Session,
        stream: &mut Stream<'_>,
        is_cancellable: bool,
    ) -> (Decision, Report) {
        let limits = session.limits(self.color);
        let mut write = |report: &Report| self.write(report, stream);
        let mut observer = self.observer(&mut write);
        let request = self.request(limits, &mut observer);
        let request = if is_cancellable { request.cancellable() } else { request };
        let (game, engine) = session.game_and_engine();
        let (decision, report) = engine.genmove(game, request);
        self.write(&report, stream);
        (decision, report)
    }
}

/// Whether the restrictions leave a side a pass, or a legal play that fills no own eye.
fn has_move(game: &Game, color: Color, restrictions: &Restrictions) -> bool {
    let board = game.board();
    let may_play = |point: Point| {
        restrictions.permit(color, 0, Move::Play(point))
            && !board.is_eyelike(point, color)
            && game.is_legal(point, color)
    };
    restrictions.permit(color, 0, Move::Pass) || board.empty_points().any(may_play)
}

fn analyze(
    session: &mut Session,
    args: &Args<'_>,
    stream: &mut Stream<'_>,
    dialect: Dialect,
) -> Answer {
    let show = Show::new(session, args, dialect)?;
    stream.begin();
    let mut write = |report: &Report| show.write(report, stream);
    let mut observer = show.observer(&mut write);
    let request = show.request(Limits::UNTIL_STOPPED, &mut observer);
    let (game, engine) = session.game_and_engine();
    let report = engine.analyze(game, request);
    // Stopped before the first playout there is nothing to tell, unless moves are asked for.
    if show.wish.interval.is_none() && (report.visits() > 0 || show.view.moves_min > 0) {
        show.write(&report, stream);
    }
    session.remember_analysis(report);
    Ok(String::new())
}

fn genmove(
    session: &mut Session,
    args: &Args<'_>,
    stream: &mut Stream<'_>,
    dialect: Dialect,
) -> Answer {
    if dialect == Dialect::Cgos {
        args.at_most(1)?;
    }
    let show = Show::new(session, args, dialect)?;
    let (start, limits) = (Stopwatch::start(), session.limits(show.color));
    stream.begin();
    let chosen = show.choose(session, stream, false);
    let mv = play::make(session, chosen, start, limits)?;
    Ok(format!("play {mv}"))
}

fn search(
    session: &mut Session,
    args: &Args<'_>,
    stream: &mut Stream<'_>,
    is_cancellable: bool,
) -> Answer {
    let show = Show::new(session, args, Dialect::Kata)?;
    stream.begin();
    let chosen = show.choose(session, stream, is_cancellable);
    Ok(format!("play {}", answer(session, chosen, is_cancellable)))
}

/// The text of a choice that is not carried out.
fn answer(
    session: &mut Session,
    (decision, report): (Decision, Report),
    is_cancellable: bool,
) -> String {
    let was_stopped = report.was_stopped;
    session.remember_analysis(report);
    if is_cancellable && was_stopped {
        return "cancelled".to_owned();
    }
    play::decision_text(session.size(), decision)
}

fn silent_search(session: &mut Session, args: &Args<'_>, is_cancellable: bool) -> Answer {
    args.at_most(1)?;
    let color = if args.is_empty() { session.game().to_play() } else { args.color(0)? };
    let request = Request::new(color, session.limits(color));
    let request = if is_cancellable { request.cancellable() } else { request };
    let (game, engine) = session.game_and_engine();
    let chosen = engine.genmove(game, request);
    Ok(answer(session, chosen, is_cancellable))
}
