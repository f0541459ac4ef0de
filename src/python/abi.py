"""The public headers as declarations for ctypes.

    abi.py INCLUDE_DIR COMPILER > _abi.py         constants, structs and signatures, in the headers' order
    abi.py INCLUDE_DIR COMPILER --check > t.c     a C program that compiles only if the compiler lays the structs out the same way

So the Python package does not repeat the headers. The headers hold enums, structs and prototypes only; anything else is
an error here, not a guess.
"""
from __future__ import annotations

import ctypes
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple, Optional

SCALARS = {
    "int": "c_int", "unsigned": "c_uint", "long long": "c_longlong", "double": "c_double", "char": "c_char", "unsigned char": "c_ubyte",
    "size_t": "c_size_t", "uint64_t": "c_uint64", "int64_t": "c_int64", "sig_atomic_t": "c_int", "void": "None",
}


class Field(NamedTuple):
    name: str
    type: str  # an expression of ctypes
    spelled: str  # C type of the target of a pointer; for parameters


class Declarations(NamedTuple):
    opaque: list[str]
    constants: dict[str, object]
    structs: dict[str, list[Field]]
    functions: dict[str, tuple[str, list[Field]]]


class Parser:
    def __init__(self, text: str):
        self.tokens = re.findall(r'[A-Za-z_]\w*|0x[0-9a-fA-F]+|\d+|"[^"]*"|\.\.\.|\S', text)
        self.at = 0
        self.found = Declarations([], {}, {}, {})
        self.enums: set[str] = set()

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, expected: Optional[str] = None) -> str:
        token = self.peek()
        if expected is not None and token != expected:
            around = " ".join(self.tokens[max(0, self.at - 8):self.at + 4])
            raise SystemExit(f"abi.py: expected {expected}, found {token} in: {around}")
        self.at += 1
        return token

    def accept(self, token: str) -> bool:
        if self.peek() != token:
            return False
        self.at += 1
        return True

    # ---- types

    def base(self) -> str:
        words = []
        while True:
            token = self.peek()
            if token in ("const", "volatile", "struct"):
                self.take()
            elif token in ("unsigned", "long", "char", "int", "double", "void") and (not words or words[-1] in ("unsigned", "long")):
                words.append(self.take())
            elif not words and re.match(r"\w", token):
                words.append(self.take())
            else:
                break
        name = " ".join(words)
        if name in SCALARS or name in self.enums or name in self.found.structs or name in self.found.opaque:
            return name
        raise SystemExit(f"abi.py: unknown type {name!r}")

    def plain(self, base: str) -> str:
        return "c_int" if base in self.enums else SCALARS.get(base, base)

    def pointer(self, base: str, stars: int) -> str:
        """The type of a field or result: base with `stars` levels of pointers."""
        if stars == 0:
            return self.plain(base)
        if base == "char":
            inner, stars = "c_char_p", stars - 1
        elif base == "void" or base in self.found.opaque:
            inner, stars = "c_void_p" if base == "void" else base, stars - 1
        else:
            inner = self.plain(base)
        return "POINTER(" * stars + inner + ")" * stars

    def declarator(self, base: str, parameter: bool) -> Field:
        stars = 0
        while self.peek() in ("*", "const"):
            stars += self.take() == "*"
        if self.accept("("):
            self.take("*")
            name = self.take()
            self.take(")")
            kinds = ", ".join([self.pointer(base, stars)] + [p.type for p in self.parameters()])
            return Field(name, f"CFUNCTYPE({kinds})", "")
        name = self.take() if re.match(r"[A-Za-z_]", self.peek()) else ""
        size = None
        while self.accept("["):
            size = self.take() if self.peek() != "]" else ""
            self.take("]")
        if size and not parameter:
            return Field(name, f"{self.pointer(base, stars)} * {size}", "")
        if size is not None:
            stars += 1
        return Field(name, self.pointer(base, stars), base if stars else "")

    def parameters(self) -> list[Field]:
        self.take("(")
        if self.peek() == "void" and self.tokens[self.at + 1] == ")":
            self.take()
        found: list[Field] = []
        while not self.accept(")"):
            found.append(self.declarator(self.base(), True))
            self.accept(",")
        return found

    # ---- declarations

    def enum(self) -> None:
        self.take("{")
        value = 0
        while not self.accept("}"):
            name = self.take()
            if self.accept("="):
                value = int(self.take(), 0)
            self.found.constants[name] = value
            value += 1
            self.accept(",")

    def struct(self) -> list[Field]:
        self.take("{")
        fields: list[Field] = []
        while not self.accept("}"):
            base = self.base()
            while True:
                fields.append(self.declarator(base, False))
                if not self.accept(","):
                    break
            self.take(";")
        return fields

    def typedef(self) -> None:
        kind, name = self.take(), self.take()
        if kind == "struct" and self.peek() != "{":
            self.found.opaque.append(self.take())
        elif kind == "struct":
            self.found.structs[name] = []  # may point to itself
            self.found.structs[name] = self.struct()
            self.take(name)
        elif kind == "enum":
            self.enums.add(name)
            self.enum()
            self.take(name)
        else:
            raise SystemExit(f"abi.py: typedef {kind} {name}")

    def function(self) -> None:
        base = self.base()
        stars = 0
        while self.accept("*"):
            stars += 1
        name = self.take()
        self.found.functions[name] = (self.pointer(base, stars), self.parameters())

    def run(self) -> Declarations:
        while self.peek():
            if self.accept("typedef"):
                self.typedef()
            elif self.accept("enum"):
                self.enum()
            else:
                self.function()
            self.take(";")
        return self.found


def header_text(folder: Path, compiler: str) -> str:
    """vouch.h after the preprocessor, without the standard headers, from which only SCALARS are used."""
    with tempfile.TemporaryDirectory() as empty:
        for name in ("signal.h", "stdint.h", "stddef.h"):
            (Path(empty) / name).write_text("")
        options = ["-E", "-P", "-nostdinc", "-U__GNUC__", "-I", str(folder), "-I", empty, str(folder / "vouch" / "vouch.h")]
        return subprocess.run(shlex.split(compiler) + options, stdout=subprocess.PIPE, check=True, text=True).stdout


def defined(folder: Path) -> dict[str, object]:
    """The constants of the headers' #define NAME VALUE."""
    found: dict[str, object] = {}
    for header in sorted((folder / "vouch").glob("*.h")):
        for name, value in re.findall(r'^#define (VOUCH_\w+) +("[^"]*"|[0-9][0-9.e+-]*)$', header.read_text(), flags=re.M):
            found[name] = value.strip('"') if value.startswith('"') else float(value)
    return found


def python_source(found: Declarations) -> str:
    lines = ["# Written by abi.py from the public headers.", "from ctypes import *", ""]
    lines += [f"{name} = {value!r}" for name, value in found.constants.items()]
    for name in found.opaque:  # pointers to different objects are different types
        lines += ["", f"class {name}(c_void_p):", "    pass"]
    for name, fields in found.structs.items():
        lines += ["", f"class {name}(Structure):", "    pass", f"{name}._fields_ = ["]
        lines += [f'    ("{f.name}", {f.type}),' for f in fields] + ["]"]
    lines += ["", "FUNCTIONS = {"]
    for name, (result, parameters) in found.functions.items():
        # numbers are handed over as arrays of numpy, of ctypes, or by reference: any address will do
        kinds = [(p.name, "c_void_p" if p.spelled in SCALARS and p.spelled not in ("char", "void") else p.type) for p in parameters]
        lines.append(f'    "{name}": ({result}, [{", ".join(f"({name!r}, {kind})" for name, kind in kinds)}]),')
    return "\n".join(lines + ["}", ""])


def check_source(found: Declarations) -> str:
    space: dict[str, object] = {}
    exec(compile(python_source(found), "_abi.py", "exec"), space)
    lines = ["#include <stddef.h>", "#include <vouch/vouch.h>"]
    for name, fields in found.structs.items():
        struct = space[name]
        lines.append(f'_Static_assert(sizeof({name}) == {ctypes.sizeof(struct)}, "{name}");')
        for f in fields:
            lines.append(f'_Static_assert(offsetof({name}, {f.name}) == {getattr(struct, f.name).offset}, "{name}.{f.name}");')
    lines += [f'_Static_assert({name} == {value}, "{name}");' for name, value in found.constants.items() if isinstance(value, int)]
    return "\n".join(lines + ["int main(void) { return 0; }", ""])


def main() -> None:
    folder = Path(sys.argv[1])
    found = Parser(header_text(folder, sys.argv[2])).run()
    found.constants.update(defined(folder))
    sys.stdout.write(check_source(found) if "--check" in sys.argv[3:] else python_source(found))


if __name__ == "__main__":
    main()
