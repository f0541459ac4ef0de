"""vouch: plans whose promises hold.

    model = vouch.read("maze.json")          or Model.from_arrays, Model.from_gym_p
    plan = vouch.plan(model, lookahead=3)          a policy of least maximum regret that keeps the commitment in every environment
    agent = vouch.Agent(model, lookahead=2)        plans again while acting
    vouch.simulate(plan), vouch.ccil(model, 2), vouch.sweep(model, lookahead=range(7)), vouch.explain(model)
    vouch.lp(c, A_ub, b_ub), vouch.milp(c, ..)     the solvers alone, called as scipy's

Models, policies and plans can be pickled and copied, agents and episodes cannot.
Errors are exceptions with the program's own text, below vouch.Error. Arrays are numpy's; what takes and gives none works without numpy.
"""
from typing import Any as _Any

from ._arguments import name_methods as _name_methods, names_arguments as _names_arguments
from ._library import ArgumentError, ArgumentTypeError, Error, FileError, InputError, OutOfMemoryError, SizeError, limit_memory, version
from .acting import Agent, Ccil, ccil
from .explaining import Explanation, Range, explain
from .grouping import Group, Groups
from .model import Model, Promise, Transition
from .planning import (Decision, Episode, Evaluation, Figures, Graph, Plan, Player as _Player, Policy, Progress, Rule, Rules, Sample, plan, simulate)
from .programs import MilpProgress, Result, lp, milp
from .sweeping import Frontier, Sweep, frontier, sweep

for _kind in (Model, Policy, Rules, Graph, _Player, Episode, Plan, Groups, Agent, Sweep, Frontier):
    _name_methods(_kind)
for _function, _rest in ((plan, None), (simulate, None), (ccil, None), (explain, None), (frontier, plan), (sweep, None), (lp, None), (milp, None), (limit_memory, None)):
    globals()[_function.__name__] = _names_arguments(_function, _function.__name__, _rest)
    globals()[_function.__name__].__module__ = __name__  # where pickle finds it

read = Model.read
__version__ = version
__all__ = [
    "Agent", "ArgumentError", "ArgumentTypeError", "Ccil", "Decision", "Environment", "Episode", "Error", "Evaluation", "Explanation", "Figures", "FileError", "Frontier", "Graph", "Group", "Groups", "InputError",
    "MilpProgress", "Model", "OutOfMemoryError", "Plan", "Policy", "Progress", "Promise", "Range", "Result", "Rule", "Rules", "Sample", "SizeError", "Sweep", "Transition",
    "ccil", "explain", "frontier", "limit_memory", "lp", "milp", "plan", "read", "simulate", "sweep"
]


def __getattr__(name: str) -> _Any:
    if name == "Environment":  # gymnasium, where it is installed, is imported by those who need it
        from .world import Environment

        return Environment
    raise AttributeError(f"module 'vouch' has no attribute {name!r}")
