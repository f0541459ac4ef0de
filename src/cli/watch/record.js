"use strict";
// record.js - the recorded events as steps that can be gone through, whatever was solved.
//
// A step is one thing that happened: a node of a search ended, a relaxation was solved, a pivot was made. `record.steps[i]` holds what is known after it.
const record = JSON.parse(document.getElementById("record").textContent);
const ENDS = ["branched", "bound", "infeasible", "integer", "limit"];
const missing = value => value === null || value === undefined;

// Values of a plan are recorded in the units planned with.
function readPlan() {
  const trees = [], steps = [], rungs = [];
  let tree = null, bound = null, best = null;
  for (const e of record.events) {
    if (e.e === "tree") {
      if (!tree || tree.goal !== e.goal) bound = best = null;
      tree = Object.assign(e, { number: trees.length, nodes: [], at: new Map(), detail: new Map() });
      trees.push(tree);
    } else if (e.e === "rung") {
      rungs.push(Object.assign(e, { step: steps.length }));
    } else if (e.e === "moment") {
      if (!missing(e.b)) bound = missing(bound) ? e.b : Math.max(bound, e.b);
      best = e.inc;
      if (steps.length) Object.assign(steps[steps.length - 1], { bound, best });
    } else if (e.e === "node") {
      const node = Object.assign(e, { parent: tree.at.get(e.up) || null, kids: [], step: steps.length });
      node.depth = node.parent ? node.parent.depth + 1 : 0;
      if (node.parent) node.parent.kids.push(node);
      node.better = !missing(e.inc) && (missing(best) || e.inc < best - 1e-12);
      best = e.inc;
      tree.nodes.push(node);
      tree.at.set(e.id, node);
      steps.push({ node, tree, bound, best });
    } else if (tree) { // mixture, pairs, column
      const seen = tree.detail.get(e.id) || { columns: [] };
      if (e.e === "column") seen.columns.push(e); else seen[e.e] = e;
      tree.detail.set(e.id, seen);
    }
  }
  Object.assign(record, { trees, steps, rungs });
}

function readInteger() {
  const tree = { number: 0, nodes: [], at: new Map(), detail: new Map() }, steps = [], cuts = [];
  let bound = null, best = null, waiting = 0;
  for (const e of record.events) {
    if (e.e === "cut") { cuts.push(Object.assign(e, { step: steps.length })); waiting++; }
    else if (e.e === "point") {
      tree.detail.set(e.id, e);
      if (waiting || !steps.length) steps.push({ point: e, tree, bound: e.value, best, cuts: cuts.length });
      waiting = 0;
    } else if (e.e === "moment") {
      bound = e.b, best = e.inc;
      if (steps.length) Object.assign(steps[steps.length - 1], { bound, best });
    } else if (e.e === "node") {
      const node = Object.assign(e, { parent: tree.at.get(e.up) || null, kids: [], step: steps.length });
      node.depth = node.parent ? node.parent.depth + 1 : 0;
      if (node.parent) node.parent.kids.push(node);
      node.better = !missing(e.inc) && e.inc !== best;
      best = e.inc;
      tree.nodes.push(node);
      tree.at.set(e.id, node);
      steps.push({ node, tree, bound, best, cuts: cuts.length, point: tree.detail.get(e.id) });
    }
  }
  Object.assign(record, { trees: [tree], steps, cuts });
}

function readLinear() {
  const steps = [];
  let basis = null;
  for (const e of record.events) {
    if (e.e === "basis") { basis = e; if (steps.length) steps[steps.length - 1].basis = e; }
    else if (e.e === "start" || e.e === "pivot") steps.push({ pivot: e, basis });
  }
  Object.assign(record, { steps });
}

if (record.kind === "plan") readPlan(); else if (record.kind === "mip") readInteger(); else readLinear();
