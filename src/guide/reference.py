"""The references and the tutorial among the guide's pages, as the body of a page on standard output.

    reference.py c HEADERS           the public headers: comments as text, declarations as code
    reference.py python PACKAGE      the names of vouch.__all__: signatures, fields and docstrings, read without importing them
    reference.py notebook NOTEBOOK   text, code and stored outputs of a notebook; of Markdown headings, paragraphs, `code` and *emphasis*
"""
from __future__ import annotations

import ast
import html
import inspect
import json
import re
import sys
from pathlib import Path
from typing import Sequence, Union


def prose(text: str) -> str:
    """Paragraphs and indented blocks of a comment or a docstring."""
    out = ""
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        if all(line.startswith("    ") for line in block.split("\n")):
            out += f"<pre>{html.escape(inspect.cleandoc(block), quote=False)}</pre>\n"
        elif block.strip():
            out += "<p>" + re.sub(r"(?::\w+:)?`~?([^`]+)`", r"<code>\1</code>", html.escape(block.strip(), quote=False)) + "</p>\n"
    return out


# ---- C


def said(comment: str) -> str:
    lines = comment.strip()[2:-2].split("\n")
    return "\n".join([lines[0].strip()] + [re.sub(r"^ \* ?", "", line) for line in lines[1:]])


def header(name: str, text: str) -> str:
    """Comments in column 0 as text over the declarations that follow them, without what only the compiler needs."""
    text = re.sub(r"^#(include|ifn?def|if|else|endif|undef|define VOUCH_(\w+_H$|API|C_|PRINTF)).*\n|^VOUCH_C_(BEGIN|END)\n", "", text, flags=re.M)
    text = re.sub(r"^VOUCH_API (.*(?:\n +.*)*)", lambda found: found.group(1).replace("\n" + 10 * " ", "\n"), text, flags=re.M)
    out = f'<h2 id="{name}">vouch/{name}.h</h2>\n'
    for part in re.split(r"^(?=/\*)", text, flags=re.M)[1:]:
        end = part.index("*/") + 2
        comment, code = part[:end], part[end:].strip("\n")
        section = re.fullmatch(r"/\* ---- (.*?)\s+-+ \*/", comment, flags=re.S)
        out += f"<h3>{section.group(1)}</h3>\n" if section else prose(re.sub(rf"^vouch/{name}\.h - ", "", said(comment)))
        out += f"<pre>{html.escape(code, quote=False)}</pre>\n" if code else ""
    return out


def c_reference(folder: Path) -> str:
    """Headers in the order of vouch.h; a name leads to its declaration."""
    main = (folder / "vouch.h").read_text()
    names = re.findall(r"#include <vouch/(\w+)\.h>", main)
    names += sorted(path.stem for path in folder.glob("*.h") if path.stem not in names + ["vouch"])
    out = "<h1>C reference</h1>\n" + header("vouch", main) + "".join(header(name, (folder / f"{name}.h").read_text()) for name in names)
    places = {found.group(): found.start() for found in reversed(list(re.finditer(r"(?<=[ *])vouch_\w+(?=\(|;)", out)))}

    def linked(found: re.Match[str]) -> str:
        name = found.group()
        return name if name not in places else f'<a id="{name}">{name}</a>' if found.start() == places[name] else f'<a href="#{name}">{name}</a>'

    return re.sub(r"\bvouch_\w+", linked, out)


# ---- Python


def signature(function: ast.FunctionDef) -> str:
    bare = ast.FunctionDef(function.name, function.args, [ast.Pass()], [], function.returns, lineno=0)
    return re.sub(r"\b(self|cls)(, )?", "", re.sub(r"(?<=[\]\w])=(?=\S)", " = ", ast.unparse(bare).split(":\n")[0][len("def "):]), count=1)


def shown(node: Union[ast.FunctionDef, ast.ClassDef], title: str, level: int) -> str:
    return f"<h{level}><code>{html.escape(title, quote=False)}</code></h{level}>\n" + prose(ast.get_docstring(node) or "")


def members(kind: ast.ClassDef, source: str, classes: dict[str, tuple[ast.ClassDef, str]], public: Sequence[str]) -> str:
    """Fields and public methods, those of private bases too."""
    lines = source.split("\n")
    fields = [lines[node.lineno - 1].strip() for node in kind.body if isinstance(node, ast.AnnAssign) and ast.unparse(node.target)[0] != "_"]
    out = f"<pre>{html.escape(chr(10).join(fields), quote=False)}</pre>\n" if fields else ""
    for node in kind.body:
        if isinstance(node, ast.FunctionDef) and (node.name == "__init__" and kind.name in public and len(node.args.args) > 1 or node.name[0] != "_"):
            marks = [ast.unparse(mark) for mark in node.decorator_list]
            if "overload" not in marks:
                out += shown(node, f"{node.name}: {ast.unparse(node.returns)}" if "property" in marks else signature(node).replace("__init__", kind.name), 3)
    for base in kind.bases:
        name = ast.unparse(base)
        if name in classes and name not in public:
            out += members(*classes[name], classes, public)
    return out


def python_reference(folder: Path) -> str:
    """The public names in the order of their modules."""
    package = ast.parse((folder / "__init__.py").read_text())
    public = next(ast.literal_eval(node.value) for node in package.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__")
    out = "<h1>Python reference</h1>\n" + prose(ast.get_docstring(package) or "")
    nodes, classes = [], {}
    for path in sorted(folder.glob("*.py")):
        source = path.read_text()
        for node in ast.parse(source).body:
            if isinstance(node, ast.ClassDef):
                classes[node.name] = node, source
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name in public and "overload" not in map(ast.unparse, node.decorator_list):
                nodes.append(node)
    for node in nodes:
        out += f'<a id="{node.name}"></a>\n'
        if isinstance(node, ast.FunctionDef):
            out += shown(node, "vouch." + signature(node), 2)
        else:
            bases = [ast.unparse(base) for base in node.bases if ast.unparse(base) in public]
            out += shown(node, f"class vouch.{node.name}" + (f"({', '.join(bases)})" if bases else ""), 2) + members(*classes[node.name], classes, public)
    return out


# ---- the tutorial


def notebook(path: Path) -> str:
    out = ""
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "markdown":
            for block in cell["source"].split("\n\n"):
                level = len(block) - len(block.lstrip("#"))
                out += f"<h{level}>{block[level + 1:]}</h{level}>\n" if level else re.sub(r"\*(\w+)\*", r"<em>\1</em>", prose(block))
            continue
        out += f"<pre>{html.escape(cell['source'], quote=False)}</pre>\n"
        for said in cell["outputs"]:
            data = said.get("data", {})
            out += data.get("text/html") or f"<pre>{html.escape(said.get('text') or data['text/plain'], quote=False)}</pre>\n"
    return out


if __name__ == "__main__":
    print({"c": c_reference, "python": python_reference, "notebook": notebook}[sys.argv[1]](Path(sys.argv[2])))
