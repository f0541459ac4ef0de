"""Runs the code cells of a notebook in one namespace, in its folder, as Jupyter does.

    notebook.py NOTEBOOK            stores their outputs in the notebook (make notebook)
    notebook.py NOTEBOOK --check    exit status 1 unless they are those stored; of pictures and tables the words are compared
"""
from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import sys
from typing import Any


def outputs(source: str, space: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """What a cell prints, and its last expression."""
    tree, printed, value = ast.parse(source), io.StringIO(), None
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), space)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), space)
    found: list[dict[str, Any]] = [{"name": "stdout", "output_type": "stream", "text": printed.getvalue()}] if printed.getvalue() else []
    if value is not None:
        data = {"text/html": re.sub(r"\n\s*\n", "\n", value._repr_html_())} if hasattr(value, "_repr_html_") else {"text/plain": repr(value)}
        found.append({"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"})
    return found


def words(found: list[dict[str, Any]]) -> list[str]:
    """All that is printed, and what tables and pictures say between their tags."""
    texts = [one.get("text") or one["data"].get("text/plain") or re.sub("<[^>]*>", " ", one["data"]["text/html"]) for one in found]
    return " ".join(texts).split()


def main() -> int:
    with open(sys.argv[1], encoding="utf-8") as file:
        book = json.load(file)
    path, space = os.path.abspath(sys.argv[1]), {"__name__": "__main__"}
    os.chdir(os.path.dirname(path))
    for count, cell in enumerate((cell for cell in book["cells"] if cell["cell_type"] == "code"), 1):
        found = outputs("".join(cell["source"]), space, count)
        if "--check" in sys.argv and words(found) != words(cell["outputs"]):
            sys.exit(f"cell {count} has other outputs (make notebook stores them): {cell['source'][:60]!r}")
        cell["outputs"], cell["execution_count"] = found, count
    if "--check" not in sys.argv:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(book, file, indent=1, ensure_ascii=False, sort_keys=True)
            file.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
