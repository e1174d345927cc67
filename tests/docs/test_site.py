"""Pages that the site generates: complete, and with links that lead to pages."""

import importlib.util
from pathlib import Path

import pytest

import regretless as rl

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("_site", ROOT / "docs" / "_site.py")
site = importlib.util.module_from_spec(spec)
spec.loader.exec_module(site)


@pytest.mark.parametrize("shelf", ["", *site.SHELVES])
def test_every_public_name_is_explained(shelf: str) -> None:
    module = getattr(rl, shelf) if shelf else rl
    page = site.pages()[f"reference/api/{shelf or 'regretless'}.md"]
    sections = {part.partition("\n")[0]: part for part in page.split("\n## ")[1:]}
    assert list(sections) == list(module.__all__)
    for name, section in sections.items():
        explained = section.partition("```\n")[2].strip()
        assert explained or not callable(getattr(module, name)), f"{name} has no docstring"


def test_every_command_is_listed_with_its_options() -> None:
    from regretless.interfaces.cli.app import app

    page = "\n".join(site.commands())
    for command in app.registered_commands:
        name = command.name or command.callback.__name__.replace("_", "-")
        assert f"\n### {name}\n" in page
    assert "| `--target` | stop at this exploitability" in page


def test_signatures_read_as_they_are_written() -> None:
    page = "\n".join(site.api("regretless", "rl"))
    assert "    target: str | float | None = None,\n" in page
    assert "save(path: str | Path) -> None" in page
    assert "ForwardRef" not in page
    assert "(self" not in page
    assert "factory" not in page


def test_links_that_leave_the_documents() -> None:
    def mended(text: str) -> str:
        return site.mended(text, "docs/how-to/play.md", "how-to/play.md")

    assert mended("[a](../../ARCHITECTURE.md#words)") == "[a](../project/architecture.md#words)"
    assert (
        mended("[a](acpc.md), [b](#c), [d](https://e.f)")
        == "[a](acpc.md), [b](#c), [d](https://e.f)"
    )
    assert mended("see [lp.py](../../src/regretless/solvers/lp.py)") == "see lp.py"
    code = "```python\nnames[0](../../README.md)\n```"
    assert mended(code) == code
    root = site.mended("![x](docs/pictures/spot.png)", "README.md", "project/readme.md")
    assert root == "![x](../pictures/spot.png)"
