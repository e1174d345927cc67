"""Pages of the site that are generated when it is built: Python names, commands, root documents.

A hook of MkDocs (mkdocs.yml). Generated pages are not kept, so they cannot be out of date."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import Any

from regretless import _SHELVES as SHELVES

ROOT = Path(__file__).parents[1]
PROJECT = {  # [document of the root] its page
    "README.md": "project/readme.md",
    "ARCHITECTURE.md": "project/architecture.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
}
WIDTH = 96
LINK = re.compile(r"(?P<before>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)")
CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def on_files(files: Any, config: Any) -> Any:
    """Add the generated pages."""
    from mkdocs.structure.files import File

    for path, text in pages().items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Lead links to documents of the root to their pages; name source files without a link."""
    return mended(markdown, f"docs/{page.file.src_uri}", page.file.src_uri)


def pages() -> dict[str, str]:
    """[page] its Markdown."""
    made = {page: _as_page(name, page) for name, page in PROJECT.items()}
    made["reference/commands.md"] = "\n".join(commands())
    made["reference/api/regretless.md"] = "\n".join(api("regretless", "rl"))
    for shelf in SHELVES:
        made[f"reference/api/{shelf}.md"] = "\n".join(api(f"regretless.{shelf}", f"rl.{shelf}"))
    return made


def _as_page(name: str, page: str) -> str:
    return mended((ROOT / name).read_text(encoding="utf-8"), name, page)


def mended(text: str, document: str, page: str) -> str:
    """Markdown of a document of the repository, with links as its page of the site has them."""

    def mend(link: re.Match[str]) -> str:
        path, hash_, heading = link["target"].partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return link[0]
        target = os.path.normpath(PurePosixPath(document).parent / path)
        if target in PROJECT:
            target = PROJECT[target]
        elif target.startswith("docs/"):
            target = target.removeprefix("docs/")
        elif document.startswith("docs/") and (ROOT / "docs" / target).is_file():
            return link[0]
        else:
            return link["text"]
        relative = os.path.relpath(target, PurePosixPath(page).parent)
        return f"{link['before']}[{link['text']}]({relative}{hash_}{heading})"

    if document.startswith("docs/project/"):  # mended when it was read
        return text
    parts, at = [], 0
    for block in CODE.finditer(text):
        parts += [LINK.sub(mend, text[at : block.start()]), block[0]]
        at = block.end()
    return "".join([*parts, LINK.sub(mend, text[at:])])


def api(module: str, short: str) -> Iterator[str]:
    """The public names of a module: signatures and docstrings."""
    home = import_module(module)
    yield f"# {short}\n"
    yield _prose(inspect.getdoc(home) or "")
    for name in home.__all__:
        value = getattr(home, name)
        yield f"\n## {name}\n"
        if inspect.isclass(value):
            yield _signature(f"class {name}", value)
            yield _prose(_own_doc(value))
            yield from _methods(name, value)
        elif callable(value):
            yield _signature(name, value)
            yield _prose(inspect.getdoc(value) or "")
        else:
            yield f"`{name} = {value!r}`\n"


def _methods(name: str, value: type) -> Iterator[str]:
    """What is documented has a section of its own; other properties are listed."""
    members = dict(_members(value))
    documented = {
        member: text for member, what in members.items() if (text := inspect.getdoc(what))
    }
    if silent := [f"`{member}`" for member in members if member not in documented]:
        yield f"Also: {', '.join(silent)}.\n"
    for member, text in documented.items():
        yield f"\n### {name}.{member}\n"
        if callable(members[member]):
            yield _signature(member, members[member])
        yield _prose(text)


def _own_doc(value: type) -> str:
    """The docstring of a class; a data class without one has its signature already."""
    text = inspect.getdoc(value) or ""
    return "" if text.startswith(f"{value.__name__}(") else text


def _members(value: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties that the class and its public bases define, documented."""
    for name, what in inspect.getmembers(value):
        static = inspect.getattr_static(value, name)
        what = static if isinstance(static, property) else what
        ours = getattr(getattr(static, "fget", what), "__module__", "") or ""
        if not name.startswith("_") and ours.startswith("regretless") and not inspect.isclass(what):
            yield name, what


def _signature(name: str, value: Any) -> str:
    """As it would be written: one parameter per line if it is long."""
    try:
        shown = str(inspect.signature(value))
    except (TypeError, ValueError):
        shown = ""
    shown = re.sub(r"(: |-> )'([^']*)'", r"\1\2", shown)  # annotations are kept as text
    shown = re.sub(r"ForwardRef\('([^']*)'\)", r"\1", shown)
    shown = re.sub(r"<[^<>]*>", "…", shown)
    text = f"{name}{re.sub(r'^[(]self(, )?', '(', shown)}"
    if len(text) > WIDTH:
        start, end = text.index("(") + 1, text.rindex(") ->" if ") ->" in text else ")")
        lines = "".join(f"    {part},\n" for part in _parts(text[start:end]))
        text = f"{text[:start]}\n{lines}{text[end:]}"
    return f"```python\n{text}\n```\n"


def _parts(text: str) -> list[str]:
    """Parameters: what commas separate, outside brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _prose(text: str) -> str:
    """A docstring as Markdown: indented examples stay code, tags are text."""
    return re.sub(r"<(?=[A-Za-z/])", "&lt;", text) + "\n"


def commands() -> Iterator[str]:
    """All commands with their arguments and options, as `--help` shows them."""
    from typer.main import get_command

    from regretless.interfaces.cli.app import app

    yield "# Commands\n"
    yield "Progress and errors go to stderr. Bad input is one line and exit code 2."
    group = ""
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        panel = str(command.rich_help_panel or "Commands")
        if panel != group:
            yield f"\n## {panel}"
            group = panel
        yield f"\n### {name}\n\n{_prose(inspect.cleandoc(command.help or ''))}"
        yield "| argument or option | meaning |\n|---|---|"
        for parameter in command.params:
            names = ", ".join(f"`{one}`" for one in (*parameter.opts, *parameter.secondary_opts))
            if parameter.param_type_name == "argument":
                names = f"`{parameter.name}`"
            meaning = _prose(getattr(parameter, "help", None) or "").strip().replace("|", "\\|")
            yield f"| {names} | {meaning} |"
