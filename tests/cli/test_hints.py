"""Every option and command that a message names exists."""

import ast
import json
import re
from pathlib import Path
from typing import get_args

import pytest
from typer.main import get_command

import regretless
from regretless.core.errors import UnknownName
from regretless.interfaces.cli.app import PANELS, app
from regretless.interfaces.cli.groups import RENAMED

ROOT = Path(regretless.__file__).parent
COMMANDS = get_command(app).commands
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z_-]*")
CALLED = re.compile(r"`regretless ([a-z-]+)([^`]*)`")


def options(name):
    one = COMMANDS[name]
    return {text for p in one.params for text in (*p.opts, *p.secondary_opts)} | {"--help"}


EVERY = {text for name in COMMANDS for text in options(name)} | {"--version"}


def texts(path):
    """All texts of a file, with what is filled in left out."""
    tree = ast.parse(path.read_text())
    old = {id(key) for node in ast.walk(tree) if isinstance(node, ast.Dict) for key in node.keys}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in old:
            yield node.value


SOURCES = [path for path in sorted(ROOT.rglob("*.py")) if path.name != "groups.py"]
TEXTS = [(path.relative_to(ROOT), text) for path in SOURCES for text in texts(path)]


def test_messages_name_options_that_exist():
    wrong = [
        (str(path), option)
        for path, text in TEXTS
        for option in OPTION.findall(text)
        if option not in EVERY and not option.endswith("-")
    ]
    assert not wrong


def test_commands_in_messages_exist_and_have_the_options_beside_them():
    found = [(path, *call.groups()) for path, text in TEXTS for call in CALLED.finditer(text)]
    assert len(found) > 5
    for path, name, rest in found:
        assert name in COMMANDS, path
        assert set(OPTION.findall(rest)) <= options(name), (path, name)


def test_only_the_command_line_gives_hints_about_its_options():
    """A message of the library cannot know which command called it, nor whether one did."""
    messages = [
        (path, text)
        for path, text in TEXTS
        if path.parts[0] != "interfaces" and " " in text and "`regretless" not in text
    ]
    wrong = {str(path) for path, text in messages if "\n" not in text and OPTION.search(text)}
    assert not wrong


@pytest.mark.parametrize(("command", "old"), RENAMED)
def test_old_names_of_options_lead_to_new_ones(command, old):
    assert RENAMED[command, old] in options(command)
    assert old not in options(command)


# An option that several commands have means the same in all of them: its help has these words.
MEANINGS = {
    "--at": "decision",
    "--big-blind-ante": "ante",
    "--blinds": "small/big blind",
    "--by": "with parameters|^estimate|^response",
    "--csv": "CSV file",
    "--deals": "number of deals",
    "--force": "replace --(out|write) if it exists",
    "--game": "game|spot",
    "--hands": "number of hands",
    "--iterations": "stop .*after this many iterations",
    "--method": "^algorithm",
    "--name": "player|opponent",
    "--out": "to write",
    "--parquet": "Parquet file",
    "--payouts": "^prizes",
    "--plot": "plot",
    "--png": "PNG file",
    "--resume": "of the run to continue",
    "--seconds": "stop .*after this many seconds",
    "--seed": "random seed",
    "--stacks": "^stacks",
    "--target": "exploitability",
    "--threads": "number of threads",
}


def test_an_option_means_the_same_in_all_commands():
    uses = {}
    for name, command in COMMANDS.items():
        for one in command.params:
            for text in one.opts if one.param_type_name == "option" else ():
                uses.setdefault(text, []).append((name, one.help, kind_of(one)))
    shared = {option: found for option, found in uses.items() if len(found) > 1}
    assert len(shared) > 20
    for option, found in shared.items():
        assert len({kind for _, _, kind in found}) == 1, (option, found)
        if len({told for _, told, _ in found}) > 1:
            wrong = [use for use in found if not re.search(MEANINGS.get(option, "^$"), use[1])]
            assert not wrong, (option, wrong)


def kind_of(option):
    """The type of one value, whether or not it may be missing or repeated."""
    kind = option.type_descriptor.annotation
    inner = [one for one in get_args(kind) if one is not type(None)]
    return inner[0] if inner else kind


def test_an_interval_has_one_name():
    """Half of the interval of a mean X is X_half_width, or half_width beside `mean`."""
    keys = {
        key.value
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Dict)
        for key in node.keys
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    }
    assert "half_width" in keys
    assert not {key for key in keys if re.search("interval|margin_of_error|plus_minus", key)}


def test_every_command_is_in_one_group():
    names = [function.__name__.replace("_", "-") for group in PANELS.values() for function in group]
    assert sorted(names) == sorted(COMMANDS)


def test_an_old_name_works_and_says_so(command):
    code, _, err = command("solve", "kuhn", "--strategy", "last", "--iterations", "3", "--json")
    assert (code, err) == (0, "regretless: --strategy of `solve` is now called --iterate\n")


def test_errors_in_options_are_one_line(command):
    for words in (["solve", "kuhn", "--iterations", "x"], ["solve", "--nothing"], ["nothing"]):
        code, _, err = command(*words)
        assert code == 2
        assert err.startswith("regretless: ")
        assert err.count("\n") == 1


@pytest.mark.parametrize("call", ["solve kuhn --iterations 3", "abstract kuhn --by Q.K.A"])
def test_a_result_is_not_replaced_by_accident(command, tmp_path, call):
    words = (*call.split(), "--out", "x.strategy")
    assert command(*words)[0] == 0
    before = (tmp_path / "x.strategy").read_bytes()
    code, _, err = command(*words)
    assert (code, err) == (
        2,
        "regretless: --out x.strategy: exists already; add --force to replace it\n",
    )
    assert (tmp_path / "x.strategy").read_bytes() == before
    assert command(*words, "--force")[0] == 0


def test_lists_are_json(command):
    for words in (["agents"], ["methods"], ["refine"], ["abstract"], ["reproduce"]):
        rows = json.loads(command(*words, "--json")[1])
        assert all(row["about"] for row in rows)


def test_nothing_known_is_said_in_words():
    assert str(UnknownName("player", "x", [])) == "unknown player 'x'; there are none"
