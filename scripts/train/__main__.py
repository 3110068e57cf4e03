"""Train a network of keima's own: README.md beside this file.

    scripts/train/train prepare DATA --positions DIR --engine KEIMA   labelled games to shards
    scripts/train/train fit RUN DATA b4c32 --stage 600k:9=2,13=1      train, or go on after a stop
    scripts/train/train export RUN DATA --name NAME --positions DIR --engine KEIMA
    scripts/train/train curve RUN...                                  learning curves as a PNG
    scripts/train/train all RUN DATA ARCHITECTURE ...                 the four in a row
    scripts/train/train test                                          the tests of this folder

Where the packages are installed anyhow, `python3 -m train` in scripts/ does the same without a virtual environment.
"""

import argparse
import sys
import unittest
from pathlib import Path

from train import curve, export, fit, prepare


def main() -> None:
    """Do what the arguments say."""
    options = parse_arguments()
    if options.command == "test":
        here = Path(__file__).resolve().parent
        suite = unittest.defaultTestLoader.discover(str(here), top_level_dir=str(here.parent))
        sys.exit(not unittest.TextTestRunner().run(suite).wasSuccessful())
    if options.command in ("prepare", "all"):
        prepare.run(options.data, options)
    if options.command in ("fit", "all"):
        fit.run(options.run, options.data, options)
    if options.command in ("export", "all"):
        export.run(options.run, options.data, options)
    if options.command in ("curve", "all"):
        runs = options.runs if options.command == "curve" else [options.run]
        out = options.out if options.command == "curve" else None
        curve.draw(runs, out or runs[0] / "curve.png")


def parse_arguments() -> argparse.Namespace:
    """The arguments, each command with the options of its steps."""
    parser = argparse.ArgumentParser(
        prog="train", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("prepare", "fit", "export", "curve", "all", "test"):
        command = commands.add_parser(name)
        if name in ("fit", "export", "all"):
            command.add_argument("run", type=Path, metavar="RUN", help="folder of the training run")
        if name in ("prepare", "fit", "export", "all"):
            command.add_argument("data", type=Path, metavar="DATA", help="folder of the shards")
        if name in ("prepare", "all"):
            prepare.add_arguments(command)
        if name in ("fit", "all"):
            fit.add_arguments(command)
        if name in ("export", "all"):
            export.add_arguments(command, inputs=name == "export")
        if name == "curve":
            curve.add_arguments(command)
    return parser.parse_args()


if __name__ == "__main__":
    main()
