from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any, TypeVar, overload

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")


def identity(value: Any) -> Any:
    return value


def list_of(decode: Callable[[Any], T]) -> Callable[[Any], list[T]]:
    return lambda values: [decode(value) for value in values]


def dict_of(decode: Callable[[Any], T]) -> Callable[[Any], dict[str, T]]:
    return lambda values: {key: decode(value) for key, value in values.items()}


def optional(decode: Callable[[Any], T]) -> Callable[[Any], T | None]:
    return lambda value: None if value is None else decode(value)


@overload
def one_of(first: type[A], second: type[B], /) -> Callable[[Any], A | B]: ...
@overload
def one_of(*models: Any) -> Callable[[Any], Any]: ...


def one_of(*models: Any) -> Callable[[Any], Any]:
    """Decodes the model whose required members are all present. Of several, the one with the most."""

    def decode(value: Any) -> Any:
        matching = [model for model in models if required_of(model) <= value.keys()]
        if not matching:
            raise KeyError(f"the value matches none of {', '.join(model.__name__ for model in models)}")
        return max(matching, key=lambda model: len(required_of(model))).from_json(value)

    return decode


def json_name(field: Any) -> str:
    name: str = field.metadata.get("json", field.name)
    return name


def required_of(model: Any) -> set[str]:
    return {json_name(field) for field in fields(model) if field.default is MISSING}
