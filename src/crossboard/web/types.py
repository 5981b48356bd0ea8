"""Writes page/messages.d.ts: the messages as the page's type checker knows them."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import BaseModel

from crossboard.web import messages
from crossboard.web.files import page_folder

HEAD = "// Written by `python -m crossboard.web.types` from web/messages.py.\n"
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", types.NoneType: "null"}


def types_file() -> Path:
    """Return where the types are kept."""
    return page_folder() / "messages.d.ts"


def write_types() -> str:
    """Return the types of all messages."""
    return HEAD + "".join(f"\n{text}" for text in map(_interface, _models()))


def _models() -> Iterator[type[BaseModel]]:
    for one in vars(messages).values():
        if (
            inspect.isclass(one)
            and issubclass(one, BaseModel)
            and one.__module__ == (messages.__name__)
        ):
            yield one


def _interface(model: type[BaseModel]) -> str:
    is_asked = issubclass(model, messages.Request)
    hints = typing.get_type_hints(model)
    lines = [f"export interface {model.__name__} {{"]
    for name, field in model.model_fields.items():
        # What is sent is whole; what is asked may leave out what has a default.
        optional = "?" if is_asked and not field.is_required() else ""
        lines.append(f"  {name}{optional}: {_type(hints[name])};")
    return "\n".join([*lines, "}"]) + "\n"


def _type(kind: Any) -> str:
    if kind in PLAIN:
        return PLAIN[kind]
    if inspect.isclass(kind) and issubclass(kind, BaseModel):
        return kind.__name__
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _type(inner[0])
    if origin is Literal:
        return " | ".join(f'"{each}"' for each in inner)
    if origin in (typing.Union, types.UnionType):
        return " | ".join(map(_type, inner))
    if origin is tuple:
        return f"[{', '.join(map(_type, inner))}]"
    if origin is list:
        return f"Array<{_type(inner[0])}>"
    if origin is dict:
        return f"Record<{_type(inner[0])}, {_type(inner[1])}>"
    raise TypeError(f"{kind} has no type on the page")


if __name__ == "__main__":
    types_file().write_text(write_types(), "utf-8")
