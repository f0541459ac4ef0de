"""Pictures and tables for notebooks: SVG text and HTML, made with the standard library alone. matplotlib and pandas are used where callers have them."""
from __future__ import annotations

import html
import math
import re
from typing import Any, Iterable, NamedTuple, Sequence

COLOURS = ("#0b6e99", "#b5541c", "#3c7a3b", "#7a4a9c", "#a3324b", "#56636e")
FONT = 'font-family="sans-serif" font-size="12"'
NODES_SHOWN = 300  # of a policy; a picture of more tells nothing
LETTERS = 17  # of a state
DONE_LETTERS = 30  # of the actions of a node, which may be randomised
ROUNDING = 1e-9  # probabilities that are less are not told: solvers leave them
LETTERS_SHOWN = 60  # of a name in a table or a heading; the whole is in its tooltip
# Replaced: control characters, direction marks, and characters that UTF-8 or XML cannot represent.
ACTING = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


class Line(NamedTuple):
    """Points of a chart; joined: also known between two of them; ring: drawn as rings around points of another line."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    joined: bool = True
    ring: bool = False


def escape(text: str) -> str:
    """A name from anywhere as text of a page or an attribute of it."""
    return html.escape(ACTING.sub("\N{REPLACEMENT CHARACTER}", text))


def fitted(name: str, room: int = LETTERS_SHOWN) -> str:
    return name if len(name) <= room else name[:room - 1] + "\N{HORIZONTAL ELLIPSIS}"


def scrolled(inside: str) -> str:
    """Content that may be wider than the page."""
    return f'<div style="overflow-x:auto">{inside}</div>'


def number(value: float) -> str:
    """Six digits, without negative zero; empty for NaN (unknown), "none" for infinity (no policy)."""
    if not math.isfinite(value):
        return "" if math.isnan(value) else "none"
    return f"{0.0 if abs(value) < 1e-9 else value:.6g}"


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """An HTML table; numbers, and the heads over them, at the right."""
    listed = [list(row) for row in rows]

    def cell(kind: str, value: Any, right: bool) -> str:
        shown = number(float(value)) if isinstance(value, (int, float)) else str(value)
        tip = f' title="{escape(shown)}"' if len(shown) > LETTERS_SHOWN else ""
        return f'<{kind}{tip} style="text-align:{"right" if right else "left"};padding:1px 8px">{escape(fitted(shown))}</{kind}>'

    numbers = [isinstance(value, (int, float)) for value in listed[0]] if listed else [False] * len(head)
    lines = ["<tr>" + "".join(map(cell, ["th"] * len(head), head, numbers)) + "</tr>"]
    lines += ["<tr>" + "".join(map(cell, ["td"] * len(row), row, numbers)) + "</tr>" for row in listed]
    return scrolled("<table>" + "".join(lines) + "</table>")


def frame(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Any:
    """A pandas DataFrame."""
    import pandas  # type: ignore[import]

    return pandas.DataFrame([list(row) for row in rows], columns=list(columns))


# ---- charts


def _step(low: float, high: float) -> float:
    """A round number that goes into high - low some five times."""
    step = 10.0 ** math.floor(math.log10((high - low) / 4))
    return step * min((m for m in (1, 2, 5, 10) if (high - low) / (m * step) <= 6), default=10)


def _ticks(low: float, high: float, step: float) -> list[Any]:
    """The multiples of step from low to high."""
    return [step * i for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def _range(values: Iterable[float]) -> tuple[float, float]:
    known = [v for v in values if math.isfinite(v)] or [0.0]
    low, high = min(known), max(known)
    return (low - 0.5, high + 0.5) if high - low < 1e-9 * max(1.0, abs(high)) else (low, high)


def chart(lines: Sequence[Line], x_name: str, y_name: str, ax: Any = None) -> str:
    """A line chart as SVG text; drawn on matplotlib axes too, where they are given. Values that are not finite leave a gap."""
    if ax is not None:
        for line in lines:
            ax.plot(line.x, line.y, marker="o", linestyle="-" if line.joined else "none", label=line.name)
        ax.set_xlabel(x_name)
        ax.set_ylabel(y_name)
        if len(lines) > 1:
            ax.legend()
    width, left, top, high = 440, 64, 16, 220
    wide, height = width - left - 24, top + high + 48 + 18 * len(lines)
    x0, x1 = _range(v for line in lines for v in line.x)
    y0, y1 = _range(v for line in lines for v in line.y)
    y_step = _step(y0, y1)
    y0, y1 = y_step * math.floor(y0 / y_step + 1e-9), y_step * math.ceil(y1 / y_step - 1e-9)
    x_step = max(_step(x0, x1), 1.0 if all(v == round(v) for line in lines for v in line.x) else 0.0)

    def mark(at_x: float, at_y: float, i: int) -> str:
        ring, colour = lines[i].ring, COLOURS[i % len(COLOURS)]
        drawn = f'r="6" fill="none" stroke="{colour}" stroke-width="2"' if ring else f'r="3.5" fill="{colour}"'
        return f'<circle cx="{at_x:.1f}" cy="{at_y:.1f}" {drawn}'

    def place(x: float, y: float) -> tuple[float, float]:
        return left + wide * (x - x0) / (x1 - x0), top + high * (1 - (y - y0) / (y1 - y0))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" style="max-width:100%;height:auto" {FONT}>',
           f"<title>{escape(y_name)} against {escape(x_name)}</title>", f'<rect width="{width}" height="{height}" fill="white"/>']
    for x in _ticks(x0, x1, x_step):
        out.append(f'<text x="{place(x, y0)[0]:.1f}" y="{top + high + 18}" text-anchor="middle">{number(x)}</text>')
    for y in _ticks(y0, y1, y_step):
        at = place(x0, y)[1]
        out.append(f'<path d="M{left} {at:.1f}H{left + wide}" stroke="#ddd"/><text x="{left - 10}" y="{at + 4:.1f}" text-anchor="end">{number(y)}</text>')
    out.append(f'<text x="{left + wide / 2:.0f}" y="{top + high + 36}" text-anchor="middle">{escape(x_name)}</text>')
    out.append(f'<text transform="translate(14 {top + high / 2:.0f}) rotate(-90)" text-anchor="middle">{escape(y_name)}</text>')
    for i, line in enumerate(lines):
        colour, path, pen = COLOURS[i % len(COLOURS)], "", "M"
        for x, y in zip(line.x, line.y):
            if not (math.isfinite(x) and math.isfinite(y)):
                pen = "M"
                continue
            px, py = place(x, y)
            out.append(f'{mark(px, py, i)}><title>{number(x)}: {number(y)}</title></circle>')
            path, pen = path + f"{pen}{px:.1f} {py:.1f}", "L"
        if line.joined and "L" in path:
            out.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        at = top + high + 54 + 18 * i
        out.append(f'{mark(left + 4, at - 4, i)}/><text x="{left + 14}" y="{at}">{escape(fitted(line.name))}</text>')
    return "\n".join(out) + "\n</svg>"


# ---- policies


def policy_axes(policy: Any, ax: Any) -> None:
    """The graph of the policy on matplotlib axes, from left to right: at each time the reachable states with their actions."""
    graph, model = policy.graph(), policy.model
    node, edge = graph.node, graph.edge
    shown = range(min(len(node), NODES_SHOWN))
    rows: dict[int, int] = {}
    place = {}
    for n in shown:
        t = int(node["time"][n])
        rows[t] = rows.get(t, 0) + 1
        place[n] = t, -rows[t]
        rule = int(node["rule"][n])
        r = policy.rule(rule) if rule >= 0 else None
        done = " / ".join(model.actions[a] for a, p in zip(r.actions, r.probabilities) if p >= ROUNDING) if r else ""
        words = fitted(model.states[int(node["state"][n])], LETTERS) + (f"\n{fitted(done, DONE_LETTERS)}" if done else "")
        ax.annotate(ACTING.sub("\N{REPLACEMENT CHARACTER}", words.replace("\n", " : ")).replace("$", r"\$"), place[n], ha="center")  # between dollars matplotlib reads formulas
    for e in range(len(edge)):
        a, b = int(edge["from"][e]), int(edge["to"][e])
        if a in place and b in place:
            ax.plot([place[a][0], place[b][0]], [place[a][1], place[b][1]], color=COLOURS[0], linewidth=0.5)
    ax.set_axis_off()


# ---- plans


def figures_rows(environments: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Head and rows of the table of environments, one column a promise."""
    promises = list(environments[0].commitments) if environments else []
    head = ["environment", "U*", "U", "regret", *([f"Pr({name})" for name in promises] or ["commitment"])]
    rows = [[f.name, f.optimal_value, f.value, f.regret, *([f.commitments[name] for name in promises] or [f.commitment_probability])] for f in environments]
    return head, rows


def objective_noun(model: Any, objective: str) -> str:
    nouns = {"weighted": ("weighted value", "weighted cost"), "max-min": ("least value", "largest cost")}
    return nouns[objective][model.minimise] if objective in nouns else "maximum regret"


def plan_html(plan: Any) -> str:
    head, rows = figures_rows(plan.environments)
    aim = objective_noun(plan.model, plan.objective)
    said = {"optimal": "proved", "feasible": "the best found so far", "infeasible": "proved: no such policy keeps the commitment"}.get(plan.status, plan.status)
    line = f"<p style=\"overflow-wrap:anywhere\"><b>{escape(plan.describe())}</b><br/>{escape(fitted(plan.model.name or 'the model'))}: "
    if plan.policy is None:
        return line + escape(said) + "</p>"
    proof = f", bound {number(plan.bound)} ({escape(said)})" if plan.proves else ""
    return f"{line}{aim} {number(plan.value)}{proof}</p>" + table(head, rows) + scrolled(plan.policy.plot())
