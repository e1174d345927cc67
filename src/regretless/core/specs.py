"""Texts that name a thing and its parameters: `leduc:ranks=5,suits=2`, `dcfr:alpha=2`.

Parameters and their types are read off the signature of the function that makes the
thing. Several values are separated by slashes: `bets=2/4`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType, NoneType, UnionType
from typing import Any, NamedTuple, get_args, get_origin

from regretless.core.errors import BadParameter, UnknownName

AUTO = "auto"  # a parameter that follows from the others
LISTEN = "listen"  # the progress listener: an argument, but not a parameter of the thing
TRUE, FALSE = ("true", "yes", "1"), ("false", "no", "0")


class Spec(NamedTuple):
    """A thing with its parameters, as a text names it: parsed once, made when it is needed."""

    name: str
    make: Any  # a function or class
    parameters: dict[str, Any]

    @property
    def text(self) -> str:
        """The shortest text that names it."""
        return join(self.name, self.make, self.parameters)


def read(text: str, maker: Callable[[str], Callable[..., Any]], kind: str) -> Spec:
    """What a text names, among the things that `maker` knows by name."""
    name, given = split(text)
    make = maker(name)
    return Spec(name, make, bind(make, given, f"{kind} {name}"))


def split(spec: str) -> tuple[str, dict[str, str]]:
    """Name and parameters of a spec."""
    name, _, rest = spec.strip().partition(":")
    given: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not value.strip():
            raise BadParameter(f"{part!r} in {spec!r}: parameters are written name=value")
        if key.strip() in given:
            raise BadParameter(f"{key.strip()} is given twice in {spec!r}")
        given[key.strip()] = value.strip()
    return name.strip(), given


def bind(make: Callable[..., object], given: Mapping[str, Any], of: str) -> dict[str, Any]:
    """The parameters, converted to the types in the signature of `make`."""
    known = parameters(make)
    bound = {}
    for key, value in given.items():
        if key not in known:
            if not known:
                raise BadParameter(f"{of} has no parameters: got {key!r}")
            raise UnknownName(f"parameter of {of}", key, known)
        kind = known[key].annotation
        bound[key] = _converted(f"{of}: {key}", value, kind) if isinstance(value, str) else value
    return bound


def join(name: str, make: Callable[..., object], bound: Mapping[str, Any]) -> str:
    """The shortest equivalent text: parameters at their defaults are left out."""
    changed = [
        f"{key}={text(bound[key])}"
        for key, parameter in parameters(make).items()
        if key in bound and bound[key] != parameter.default
    ]
    return f"{name}:{','.join(changed)}" if changed else name


def parameters(make: Callable[..., object]) -> Mapping[str, inspect.Parameter]:
    """The keyword-only parameters of a function."""
    signature = inspect.signature(make, eval_str=True)
    return MappingProxyType(
        {
            key: parameter
            for key, parameter in signature.parameters.items()
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY and key != LISTEN
        }
    )


def _converted(what: str, text: str, kind: Any) -> Any:
    if isinstance(kind, UnionType):  # int | None: None is written auto
        if text.lower() == AUTO:
            return None
        (kind,) = (one for one in get_args(kind) if one is not NoneType)
    if get_origin(kind) is tuple:
        kinds = get_args(kind)
        parts = text.split("/")
        if kinds[1:] == (...,):
            kinds = kinds[:1] * len(parts)
        if len(parts) != len(kinds):
            example = "/".join("…" for _ in kinds)
            raise BadParameter(f"{what}={text}: must be {len(kinds)} values, {example}")
        return tuple(_converted(what, part, one) for part, one in zip(parts, kinds, strict=True))
    if kind is bool:
        if text.lower() not in TRUE + FALSE:
            raise BadParameter(f"{what}={text}: must be true or false")
        return text.lower() in TRUE
    try:
        return kind(text)
    except ValueError:
        name = {int: "a whole number", float: "a number"}.get(kind, f"a {kind}")
        raise BadParameter(f"{what}={text}: must be {name}") from None


def text(value: Any) -> str:
    """A parameter as written in a spec."""
    if value is None:
        return AUTO
    if isinstance(value, tuple):
        return "/".join(map(text, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
