"""Reports as HTML files: the templates that they are filled into."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template


def template(path: Path) -> Template:
    """A template that escapes what comes into it, and fails where something is missing."""
    folders = [path.parent, Path(__file__).parent]  # boards.html serves them all
    templates = Environment(loader=FileSystemLoader(folders), autoescape=True, undefined=StrictUndefined,
                            trim_blocks=True, lstrip_blocks=True)
    return templates.get_template(path.name)
