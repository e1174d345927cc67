"""Options mean the same in all commands, and results name what is alike by one name."""

from collections import defaultdict

import pytest
from typer import Context
from typer.main import get_command

from regretless.interfaces.cli.app import app
from regretless.interfaces.cli.groups import RENAMED

COMMANDS = get_command(app).commands
OPTIONS = [
    (name, option, parameter)
    for name, command in COMMANDS.items()
    for parameter in command.params
    for option in parameter.opts
    if option.startswith("--")
]


def test_an_option_is_of_one_kind_in_all_commands():
    kinds = defaultdict(set)
    for name, option, parameter in OPTIONS:
        shown = parameter.get_help_record(Context(COMMANDS[name]))[0].split()[-1]
        kinds[option].add(shown.replace("list[str]", "str"))  # may be repeated
    assert {option: kind for option, kind in kinds.items() if len(kind) > 1} == {}


def test_options_and_commands_say_what_they_are():
    for name, option, parameter in OPTIONS:
        assert parameter.help, (name, option)
    for name, command in COMMANDS.items():
        assert command.get_short_help_str(200).endswith("."), name
        assert command.rich_help_panel, name


@pytest.mark.parametrize(("command", "old"), RENAMED)
def test_an_old_option_leads_to_one_of_today(command, old):
    today = {option for name, option, _ in OPTIONS if name == command}
    today |= {f"--no-{option[2:]}" for option in today}
    assert RENAMED[command, old] in today
    assert old not in today
