"use strict";
// record.js - the recorded events as steps that can be gone through, whatever was solved.
//
// A step is one thing that happened: a node of a search ended, a relaxation was solved, a pivot was made. `record.steps[i]` holds what is known after it.
const record = JSON.parse(document.getElementById("record").textContent);
const ENDS = ["branched", "bound", "infeasible", "integer", "limit"];
const missing = value => value === null || value === undefined;

// Values of a plan are recorded in the units planned with. A *run* is what has one bound and one best: the trees of one search, column generation
// alone, descents, boxes; each plan of planning again (a segment) has its own.
function readPlan() {
  const trees = [], steps = [], levels = [], segments = [];
  let tree = null, segment = null, bound = null, best = null, floor = null, run = "";
  const push = what => steps.push(Object.assign({ tree, segment, bound, best }, what));
  const begin = e => {
    const now = `${e.kind} ${e.goal} ${segment ? segment.id : 0}`;
    if (now !== run) best = null, bound = e.kind === "descents" || e.kind === "boxes" ? floor : null;
    run = now;
    tree = Object.assign(e, { run, segment, number: trees.length, nodes: [], at: new Map(), detail: new Map(), descents: [] });
    trees.push(tree);
  };
  const detail = id => {
    if (!tree.detail.has(id)) tree.detail.set(id, { columns: [] });
    return tree.detail.get(id);
  };
  const take = {
    segment(e) {
      segment = Object.assign(e, { step: steps.length });
      segments[e.id] = segment;
      tree = bound = best = floor = null;
      push({});
    },
    planned(e) { if (segments[e.id]) segments[e.id].planned = e; },
    tree: begin,
    level(e) { levels.push(Object.assign(e, { step: steps.length })); },
    moment(e) {
      if (!missing(e.b)) bound = missing(bound) ? e.b : Math.max(bound, e.b);
      best = e.inc;
      if (steps.length) Object.assign(steps[steps.length - 1], { bound, best });
    },
    node(e) {
      const node = Object.assign(e, { parent: tree.at.get(e.up) || null, kids: [], step: steps.length });
      node.depth = node.parent ? node.parent.depth + 1 : 0;
      if (node.parent) node.parent.kids.push(node);
      node.better = !missing(e.inc) && (missing(best) || e.inc < best - 1e-12);
      if (missing(best) || e.inc < best) best = e.inc;
      tree.nodes.push(node);
      tree.at.set(e.id, node);
      push({ node });
    },
    column(e) {
      detail(e.id).columns.push(e);
      if (tree.kind !== "history") return;
      if (!missing(e.bound)) floor = bound = missing(bound) ? e.bound : Math.max(bound, e.bound);
      best = e.value;
      push({ columns: detail(e.id).columns.length });
    },
    mixture(e) {
      detail(e.id).mixture = e;
      if (tree.kind !== "history") return;
      if (!missing(e.bound)) floor = bound = missing(bound) ? e.bound : Math.max(bound, e.bound);
      best = e.value;
      push({ columns: detail(e.id).columns.length, mixed: true });
    },
    pairs(e) { detail(e.id).pairs = e; },
    descent(e) {
      if (!tree || tree.kind === "boxes") return;
      if (tree.kind !== "descents") begin(Object.assign({}, tree, { kind: "descents", goal: "maximum", why: "local search from many starts" }));
      best = e.inc;
      tree.descents.push(e);
      push({ descent: e, descents: tree.descents.length });
    },
  };
  for (const e of record.events) if (tree || ["segment", "planned", "tree"].includes(e.e)) take[e.e](e);
  Object.assign(record, { trees, steps, levels, segments });
}

// Pivots of the root are steps; those of other nodes belong to their node.
function readInteger() {
  const tree = { number: 0, nodes: [], at: new Map(), detail: new Map() }, steps = [], cuts = [];
  let bound = null, best = null, waiting = 0, pivots = [], basis = null, rows = record.m;
  const push = what => steps.push(Object.assign({ tree, bound, best, cuts: cuts.length }, what));
  const take = {
    cut(e) { cuts.push(Object.assign(e, { step: steps.length })); waiting++; },
    start(e) {
      rows = e.m;
      e.rows = rows;
      basis = null;
      if (!tree.nodes.length) push({ pivot: e });
    },
    pivot(e) {
      e.rows = rows;
      if (tree.nodes.length) pivots.push(e); else push({ pivot: e, basis });
    },
    basis(e) {
      basis = Object.assign(e, { rows });
      const last = steps[steps.length - 1];
      if (!tree.nodes.length && last && last.pivot) last.basis = basis;
    },
    point(e) {
      tree.detail.set(e.id, Object.assign(e, { pivots }));
      pivots = [];
      if (waiting || !tree.nodes.length) { if (missing(bound) || (e.value < bound) === !!record.maximize) bound = e.value; push({ point: e }); }
      waiting = 0;
    },
    moment(e) {
      bound = e.b, best = e.inc;
      if (steps.length) Object.assign(steps[steps.length - 1], { bound, best });
    },
    node(e) {
      const node = Object.assign(e, { parent: tree.at.get(e.up) || null, kids: [], step: steps.length, pivots });
      pivots = [];
      node.depth = node.parent ? node.parent.depth + 1 : 0;
      if (node.parent) node.parent.kids.push(node);
      node.better = !missing(e.inc) && (missing(best) || (record.maximize ? e.inc > best : e.inc < best)); // nodes looked at together may tell an older one
      if (node.better) best = e.inc;
      tree.nodes.push(node);
      tree.at.set(e.id, node);
      push({ node, point: tree.detail.get(e.id) });
    },
  };
  for (const e of record.events) take[e.e](e);
  Object.assign(record, { trees: [tree], steps, cuts });
}

function readLinear() {
  const steps = [];
  let basis = null;
  for (const e of record.events) {
    e.rows = record.m;
    if (e.e === "basis") { basis = e; if (steps.length) steps[steps.length - 1].basis = e; }
    else if (e.e === "start" || e.e === "pivot") steps.push({ pivot: e, basis });
  }
  Object.assign(record, { steps });
}

if (record.kind === "plan") readPlan(); else if (record.kind === "mip") readInteger(); else readLinear();
