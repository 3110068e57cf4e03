"""A finished match as a row of scripts/strength.md."""

import shlex
import subprocess
from datetime import date
from pathlib import Path

from lib.game import Player, Settings
from lib.matches.tally import Tally


def row(tally: Tally, a: Player, opponent: str, settings: Settings, planned: int) -> str:
    """The row, by the columns of that file; `opponent` is its name and version with arguments."""
    share, games = tally.interval(), tally.summary()["games"]
    budget = ", ".join(filter(None, [str(settings.time or ""), arguments(a.command)]))
    cells = [
        date.today().isoformat(), commit(), opponent, f"{settings.size}x{settings.size}",
        budget or "its own",
        str(games) if games == planned else f"{games} of {planned}",
        f"{tally.summary()['points']:g}",
        f"{100 * share.low:.1f}-{100 * share.high:.1f} %",
    ]
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def arguments(command: str) -> str:
    """What follows the program in a command, as Markdown code; empty if nothing does."""
    words = shlex.split(command)[1:]
    return f"`{' '.join(words)}`" if words else ""


def commit() -> str:
    """The commit that is checked out here, short; `-dirty` if files differ from it."""
    command = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    try:
        done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True,
                              check=False)
    except OSError:  # no git: no reason to lose a report
        return "unknown"
    return done.stdout.strip() or "unknown"
