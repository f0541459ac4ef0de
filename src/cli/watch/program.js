// program.js - linear and mixed-integer programs: pivots, the polytope, the basis, cuts.
const rowName = i => record.rows[i] || `row ${i + 1}`, colName = j => record.cols[j] || `column ${j + 1}`;
// Of a pivot or basis at a time when there were p.rows rows, of which the last may be cuts.
const variable = (v, p) => v >= p.rows ? colName(v - p.rows) : v < record.m ? `row ${rowName(v)}` : `cut ${v - record.m + 1}`;
const objective = x => missing(x) ? null : (record.maximize ? -x : x) + record.offset;

// Constraints a'x <= b of at most three columns: of rows, of bounds, of cuts.
function halfspaces(cuts, lower, upper) {
  const out = [], n = record.n, dense = record.rows.map(() => new Array(n).fill(0));
  for (let j = 0; j < n; j++) for (let e = record.start[j]; e < record.start[j + 1]; e++) dense[record.index[e]][j] = record.entry[e];
  const unit = (j, sign) => Array.from({ length: n }, (_, i) => i === j ? sign : 0);
  dense.forEach((a, i) => {
    if (!missing(record.most[i])) out.push({ a, b: record.most[i], name: rowName(i), row: true });
    if (!missing(record.least[i])) out.push({ a: a.map(x => -x), b: -record.least[i], name: rowName(i), row: missing(record.most[i]) });
  });
  for (let j = 0; j < n; j++) {
    const up = upper ? upper[j] : record.upper[j], low = lower ? lower[j] : record.lower[j];
    if (!missing(up)) out.push({ a: unit(j, 1), b: up, name: colName(j) });
    if (!missing(low)) out.push({ a: unit(j, -1), b: -low, name: colName(j) });
  }
  for (const c of cuts || []) if (c.col) {
    const a = new Array(n).fill(0);
    c.col.forEach((j, i) => { a[j] = c.value[i]; });
    out.push({ a, b: c.upper, name: c.family, cut: true });
  }
  return out;
}

const dot = (a, x) => a.reduce((s, v, i) => s + v * x[i], 0);
function solveSquare(rows) { // Gaussian elimination of [a | b]
  const n = rows.length, M = rows.map(r => [...r.a, r.b]);
  for (let c = 0; c < n; c++) {
    let p = c;
    for (let i = c; i < n; i++) if (Math.abs(M[i][c]) > Math.abs(M[p][c])) p = i;
    if (Math.abs(M[p][c]) < 1e-9) return null;
    [M[c], M[p]] = [M[p], M[c]];
    for (let i = 0; i < n; i++) if (i !== c) {
      const f = M[i][c] / M[c][c];
      for (let j = c; j <= n; j++) M[i][j] -= f * M[c][j];
    }
  }
  return M.map((r, i) => r[n] / r[i]);
}

// Corners of {a'x <= b}, each with the constraints that meet there.
function corners(all) {
  const n = record.n, out = [];
  const pick = (from, chosen) => {
    if (chosen.length === n) {
      const x = solveSquare(chosen.map(i => all[i]));
      if (x && all.every(h => dot(h.a, x) <= h.b + 1e-7 * (1 + Math.abs(h.b)))) {
        const same = out.find(o => o.x.every((v, i) => Math.abs(v - x[i]) < 1e-7 * (1 + Math.abs(v))));
        if (same) chosen.forEach(i => same.on.add(i)); else out.push({ x, on: new Set(chosen) });
      }
      return;
    }
    for (let i = from; i < all.length; i++) pick(i + 1, [...chosen, i]);
  };
  if (all.length <= 60) pick(0, []);
  return out;
}

let turn = 0.6; // of the view of three columns

// Level line of the objective through x, within the frame.
function levelLine(x, frame) {
  if (record.cost.every(c => c === 0)) return null;
  const b = dot(record.cost, x), ends = corners([{ a: record.cost, b }, { a: record.cost.map(v => -v), b: -b }, ...frame]).map(c => c.x);
  return ends.length > 1 ? ends : null;
}

// points: the path so far; only the last is marked. node: bounds of the part at hand.
function polytope(points, { cuts = [], part = null, redraw } = {}) {
  const n = record.n, base = halfspaces(), seen = points.filter(x => x && !x.some(missing));
  let far = 1;
  for (const x of [...seen, ...corners(base).map(c => c.x)]) for (const v of x) far = Math.max(far, Math.abs(v));
  const box = 1.3 * far, fence = [];
  for (let j = 0; j < n; j++) for (const sign of [1, -1]) fence.push({ a: Array.from({ length: n }, (_, i) => i === j ? sign : 0), b: sign < 0 && record.lower[j] >= 0 ? 0.08 * far : box, fence: true });
  const view = n === 2 ? x => x : x => [x[0] * Math.cos(turn) - x[1] * Math.sin(turn), x[2] * 0.9 + (x[0] * Math.sin(turn) + x[1] * Math.cos(turn)) * 0.45];
  const body = corners([...base, ...fence]), reach = [...body.map(c => view(c.x)), ...seen.map(view)];
  const W = drawn(), out = make("svg", { viewBox: `0 0 ${W} 452`, role: "img", "aria-label": "feasible points and the path of the method" });
  if (!reach.length) return [make("p", { class: "soft" }, "There is no feasible point to draw.")];
  const x0 = Math.min(...reach.map(p => p[0])), x1 = Math.max(...reach.map(p => p[0])), y0 = Math.min(...reach.map(p => p[1])), y1 = Math.max(...reach.map(p => p[1]));
  const X = p => 50 + (p[0] - x0) / (x1 - x0 || 1) * (W - 80), Y = p => 400 - (p[1] - y0) / (y1 - y0 || 1) * 370;
  const outline = list => {
    const p = list.map(c => view(c.x)), mid = [p.reduce((s, q) => s + q[0], 0) / p.length, p.reduce((s, q) => s + q[1], 0) / p.length];
    return p.sort((a, b) => Math.atan2(a[1] - mid[1], a[0] - mid[0]) - Math.atan2(b[1] - mid[1], b[0] - mid[0])).map(q => `${X(q).toFixed(1)},${Y(q).toFixed(1)}`).join(" ");
  };
  const names = [], short = name => shortened(name, 12);
  if (n === 2) {
    out.append(make("polygon", { points: outline(body), fill: "var(--c0)", opacity: 0.18 }));
    if (part || cuts.length) {
      const now = corners([...halfspaces(cuts, part && part.lower, part && part.upper), ...fence]);
      if (now.length) out.append(make("polygon", { points: outline(now), fill: "var(--c2)", opacity: 0.25 }));
    }
    const frame = [...fence, { a: [-1, 0], b: -x0 }, { a: [0, -1], b: -y0 }]; // left of it and below it stand numbers
    for (const h of [...base, ...halfspaces(cuts).filter(c => c.cut)]) {
      const ends = corners([{ a: h.a, b: h.b }, { a: h.a.map(v => -v), b: -h.b }, ...frame]).map(c => c.x);
      if (ends.length > 1) out.append(make("line", { x1: X(ends[0]), y1: Y(ends[0]), x2: X(ends[1]), y2: Y(ends[1]), stroke: h.cut ? "var(--c1)" : "var(--soft)", "stroke-width": h.cut ? 2 : 1, "stroke-dasharray": h.cut ? "6 3" : "none" }, make("title", {}, h.name)));
      if (ends.length > 1 && (h.cut || h.row)) names.push([h, ends.sort((p, q) => q[1] - p[1] || q[0] - p[0])]);
    }
    const level = seen.length && levelLine(seen[seen.length - 1], frame);
    if (level) out.append(make("line", { x1: X(level[0]), y1: Y(level[0]), x2: X(level[1]), y2: Y(level[1]), stroke: "var(--c3)", "stroke-width": 1.5, "stroke-dasharray": "2 4" }, make("title", {}, "points with the same objective")));
    const taken = [[8, 24], ...seen.map(x => [X(x), Y(x)])];
    if (names.length <= 8) for (const [h, [p, q]] of names) for (let f = 0.01; f < 1; f += 0.03) { // within the frame, where none is yet
      const x = X(p) + f * (X(q) - X(p)), y = Y(p) + f * (Y(q) - Y(p));
      if (x < 64 || x > W - 44 || y < 18 || y > 388 || taken.some(([a, b]) => Math.abs(a - x) < 8 * Math.min(12, h.name.length) + 24 && Math.abs(b - y) < 20)) continue;
      taken.push([x, y]);
      out.append(make("text", { x, y, class: "soft", "text-anchor": "middle" }, short(h.name)));
      break;
    }
    if (record.integer.some(x => x) && x1 - x0 < 60 && y1 - y0 < 60) for (let a = Math.ceil(x0); a <= x1; a++) for (let b = Math.ceil(y0); b <= y1; b++)
      if (base.every(h => dot(h.a, [a, b]) <= h.b + 1e-9)) out.append(make("circle", { cx: X([a, b]), cy: Y([a, b]), r: 2.5, fill: "var(--text)" }));
    for (const x of ticks(x0, x1, 8)) out.append(make("text", { x: X([x, y0]), y: 422, "text-anchor": "middle" }, number(x)));
    for (const y of ticks(y0, y1, 6)) out.append(make("text", { x: 40, y: Y([x0, y]) + 4, "text-anchor": "end" }, number(y)));
    out.append(make("text", { x: W / 2, y: 446, "text-anchor": "middle", class: "soft" }, colName(0)), make("text", { x: 8, y: 24, class: "soft" }, short(colName(1))));
  } else {
    body.forEach((a, i) => body.slice(i + 1).forEach(b => {
      if ([...a.on].filter(c => b.on.has(c)).length >= 2) out.append(make("line", { x1: X(view(a.x)), y1: Y(view(a.x)), x2: X(view(b.x)), y2: Y(view(b.x)), stroke: "var(--soft)" }));
    }));
  }
  const marks = reach.map(p => [X(p), Y(p)]), free = ([x, y]) => Math.min(...marks.map(([a, b]) => Math.hypot(a - x, b - y)));
  const [ox, oy] = [[60, 380], [W - 60, 380], [60, 60], [W - 60, 60]].reduce((a, b) => free(b) > free(a) ? b : a);
  if (n === 3) for (let j = 0; j < 3; j++) { // which way the columns grow, in the emptiest corner
    const unit = [0, 1, 2].map(i => i === j ? 1 : 0), o = view([0, 0, 0]), e = view(unit), dx = X(e) - X(o), dy = Y(e) - Y(o), f = 34 / Math.max(1e-9, Math.hypot(dx, dy));
    out.append(make("line", { x1: ox, y1: oy, x2: ox + f * dx, y2: oy + f * dy, stroke: "var(--c1)", "stroke-width": 2 }), make("text", { x: ox + 1.4 * f * dx, y: oy + 4 + 1.4 * f * dy, "text-anchor": "middle" }, short(colName(j))));
  }
  if (seen.length) {
    out.append(make("polyline", { points: seen.map(x => `${X(view(x)).toFixed(1)},${Y(view(x)).toFixed(1)}`).join(" "), fill: "none", stroke: "var(--c3)", "stroke-width": 3 }));
    seen.forEach((x, i) => out.append(make("circle", { cx: X(view(x)), cy: Y(view(x)), r: i === seen.length - 1 ? 7 : 4, fill: "var(--c3)" }, make("title", {}, x.map(v => number(v)).join(", ")))));
  }
  const panel = [out];
  if (n === 3) {
    const slide = make("input", { type: "range", min: 0, max: 6.28, step: 0.02, value: turn, "aria-label": "turn" });
    slide.addEventListener("input", () => { turn = Number(slide.value); redraw(); });
    panel.unshift(make("label", {}, "turn", slide));
  }
  return panel;
}

// ---- linear programs ------------------------------------------------------------------------------------------------

const many = (n, one, more) => `${n} ${n === 1 ? one : more}`;

function pivotPanel(step) {
  const p = step.pivot, out = [], enters = variable(p.in, p), leaves = variable(p.out, p);
  if (p.e === "start") out.push(make("p", {}, `The ${p.method} simplex method begins${p.phase === 1 ? " (phase 1: searching for a feasible start)" : p.rows > record.m ? `, with ${many(p.rows - record.m, "cut", "cuts")} as rows` : ""}.`));
  else if (p.in === p.out) out.push(make("p", {}, `Pivot ${p.i} (${p.method}): ${enters} goes to its other bound; no row stops it before.`));
  else {
    out.push(make("p", {}, make("strong", {}, `Pivot ${p.i}`), ` (${p.method}${p.phase === 1 ? ", phase 1" : ""}): ${enters} enters, ${leaves} leaves.`));
    out.push(make("p", { class: "soft" }, p.method === "primal"
      ? `${enters} has a reduced cost that improves the objective; it may move by ${number(p.ratio)} until ${leaves} stops it at a bound.`
      : `${leaves.charAt(0).toUpperCase()}${leaves.slice(1)} is out of its bounds${p.phase === 1 ? " (phase 1: artificial bounds that make the basis dual feasible)" : ""}; of the columns that can repair it ${enters} is the one whose reduced cost reaches 0 first (ratio ${number(p.ratio)}).`));
    out.push(make("p", { class: "soft" }, `Entry of the tableau ${number(p.pivot)}, step ${number(p.step)}${p.method === "primal" && p.ratio === 0 ? ": a degenerate pivot, nothing moves" : p.ratio === 0 ? ": a degenerate pivot, the objective stays" : ""}.`));
  }
  const rows = p.prows ? `${many(p.prows, "basic variable is", "basic variables are")} out of bounds, by ${number(p.poff, 3)} in all` : "every row and column is within its bounds";
  const columns = p.dcols ? `${many(p.dcols, "reduced cost is", "reduced costs are")} dual infeasible, by ${number(p.doff, 3)} in all` : "no reduced cost is dual infeasible";
  out.push(make("p", {}, `Objective ${number(objective(p.obj))}: ${rows}; ${columns}${p.prows || p.dcols ? "" : ", so it is optimal"}.`));
  if (p.x) out.push(make("p", {}, p.x.map((v, j) => `${colName(j)} = ${number(v)}`).join(", ")));
  return out;
}

function basisPanel(step) {
  const b = step.basis;
  if (!b) return null;
  const m = b.rows, words = `Basis of ${m} rows: ${b.B} entries; L and U hold ${(b.nl || 0) + (b.nu || 0)}, ${b.nr || 0} in the rows of ${b.updates} update${b.updates === 1 ? "" : "s"} since it was factorised.`;
  if (!b.order || !b.order.length) return [make("p", { class: "soft" }, words)];
  const place = new Map(b.order.map((p, i) => [p, i])), unit = Math.min(24, 480 / m), own = new Set(), wide = m <= 8 ? 3 : 2;
  for (let p = 0; p < m; p++) {
    const v = b.head[p];
    if (v < m) own.add(v * m + p);
    else if (record.start && m === record.m) for (let e = record.start[v - m]; e < record.start[v - m + 1]; e++) own.add(record.index[e] * m + p);
  }
  const out = make("svg", { viewBox: `0 0 ${m * unit + 2} ${m * unit + 2}`, style: `max-width:${Math.max(220, m * unit)}px`, role: "img", "aria-label": "pattern of L and U" });
  const square = (i, p, paint, name) => out.append(make("rect", { x: place.get(p) * unit + 1, y: place.get(i) * unit + 1, width: unit - 1, height: unit - 1,
    fill: m > record.m || own.has(i * m + p) ? paint : "none", stroke: paint }, make("title", {}, name)));
  for (let i = 0; i < m; i++) square(i, i, "var(--text)", `diagonal: ${variable(b.head[i], b)} in place of ${variable(i, b)}`);
  for (let i = 0; i < b.L.length; i += wide) square(b.L[i], b.L[i + 1], "var(--c1)", `L${wide > 2 ? " " + number(b.L[i + 2]) : ""}`);
  for (let i = 0; i < b.U.length; i += wide) square(b.U[i], b.U[i + 1], "var(--c0)", `U${wide > 2 ? " " + number(b.U[i + 2]) : ""}`);
  return [make("p", { class: "soft" }, words), out, legend([["diagonal", "var(--text)"], ...b.L.length ? [["L", "var(--c1)"]] : [], ["U", "var(--c0)"]]),
    make("p", { class: "soft" }, `Rows and columns in pivot order: each square is an entry of the factors.${m > record.m ? "" : " A hollow one is not in the basis itself: fill-in, or the diagonal of an exchanged place."}`)];
}

function infeasibilityPanel(i) {
  const line = (name, f) => ({ name, points: record.steps.map((s, k) => [k + 1, f(s.pivot)]) });
  if (record.steps.length < 2) return null;
  return [chart([line("rows", p => p.poff), line("columns", p => p.doff)], { at: i + 1, xname: "steps", yname: "infeasibility", logarithm: true }),
    legend([lineEntry("primal infeasibility: violation of bounds", 0), lineEntry("dual infeasibility: violation of reduced costs", 1)]),
    make("p", { class: "soft" }, "The scale is logarithmic, with 0 at the foot. Where both are 0 the basis is optimal.")];
}

function linearPanels(i, redraw) {
  const path = [], step = record.steps[i];
  for (let k = 0; k <= i; k++) if (record.steps[k].pivot.x) path.push(record.steps[k].pivot.x);
  return [["What happens", pivotPanel(step), 1],
    record.n <= 3 && record.n >= 2 && record.start ? ["Feasible region and path", [...polytope(path, { redraw }), record.n === 2 ? make("p", { class: "soft" }, "Lines are rows and bounds; on the dotted line the objective equals its current value.") : make("p", { class: "soft" }, "The edges of the feasible region; the coloured axes are the columns.")], 2] : null,
    ["Infeasibility left", infeasibilityPanel(i), 1], ["The basis and its factors", basisPanel(step), 2]];
}

// ---- integer programs -----------------------------------------------------------------------------------------------

function branchWords(node) {
  if (missing(node.col) || node.col < 0) return node.parent ? "a child of its parent" : "the whole problem";
  const low = node.lower, up = node.upper, name = colName(node.col);
  if (missing(low)) return `${name} at most ${number(up)}`;
  if (missing(up)) return `${name} at least ${number(low)}`;
  return low === up ? `${name} = ${number(low)}` : `${name} between ${number(low)} and ${number(up)}`;
}

function pointWords(point) {
  return `${number(point.value)}, ${point.fractions ? `with ${many(point.fractions, "fractional column", "fractional columns")}` : "at an integer point"}`;
}

// Pivots of a node's relaxation.
function nodePivots(pivots) {
  if (!pivots || !pivots.length) return [];
  return [make("p", { class: "soft" }, `${many(pivots.length, "pivot", "pivots")} of the ${pivots[0].method} simplex method from the basis of the node before:`),
    table(["enters", "leaves", "ratio", "objective"], pivots.slice(-8).map(p => [variable(p.in, p), variable(p.out, p), number(p.ratio, 4), number(objective(p.obj))]))];
}

function integerNodePanel(step) {
  const node = step.node, out = [];
  if (step.pivot) return [make("p", { class: "soft" }, "Root: the relaxation without integrality is solved first."), ...pivotPanel(step)];
  if (!node) return [make("p", {}, `The relaxation at the root is solved: ${pointWords(step.point)}. ${many(step.cuts, "cut", "cuts")} so far.`)];
  out.push(make("p", {}, make("strong", {}, `Node ${node.id}`), `: ${branchWords(node)}`));
  const path = [];
  for (let n = node.parent; n && n.parent; n = n.parent) path.unshift(branchWords(n));
  if (path.length) out.push(make("p", { class: "soft" }, "decided before: " + path.slice(-6).join("; ")));
  const point = step.point, worse = !missing(node.inc) && !missing(node.b);
  out.push(make("p", {}, {
    branched: point ? `Its relaxation has value ${pointWords(point)}, so it branches.` : `Its relaxation has value ${number(node.b)} at a fractional point, so it branches.`,
    bound: worse ? `Its bound is ${number(node.b)}, and a point of value ${number(node.inc)} is known.` : "Its bound is no better than the best point known.",
    infeasible: "It has no point better than the best one known, or none at all.",
    integer: "The optimum of its relaxation is an integer point.",
    limit: "A limit was reached before it ended." }[ENDS[node.end]]));
  if (node.better) out.push(make("p", { class: "good" }, `A better point was found here: ${number(node.inc)}.`));
  if (point && point.x) out.push(make("p", {}, "Optimum of its relaxation: " + point.x.map((v, j) => `${colName(j)} = ${number(v)}`).join(", ")));
  return [...out, ...node.parent ? nodePivots(point ? point.pivots : node.pivots) : []];
}

function cutWords(c) {
  if (!c.col) return `${c.entries} columns`;
  const terms = c.col.map((j, i) => [c.value[i], colName(j)]).map(([v, name], i) => `${v < 0 ? (i ? " - " : "-") : i ? " + " : ""}${Math.abs(v) === 1 ? "" : `${number(Math.abs(v), 4)} `}${name}`);
  return `${terms.join("")} \u2264 ${number(c.upper, 5)}`;
}

function cutPanel(step) {
  const cuts = record.cuts.slice(0, step.cuts), names = { mir: "rounding (mir)", cover: "cover", clique: "clique", path: "path of flows", implied: "implied bound", gomory: "gomory" };
  if (!record.cuts.length) return null;
  return [make("p", { class: "soft" }, `${cuts.length} of ${many(record.cuts.length, "cut", "cuts")}: rows that every integer point satisfies; distance: violation by the relaxation's point of that round.`),
    cuts.length ? table(["round", "family", "distance", "row"], cuts.slice(-10).map(c => [c.round, names[c.family] || c.family, number(c.distance, 3), cutWords(c)])) : null];
}

function integerPanels(i, redraw) {
  const step = record.steps[i], lower = [...record.lower || []], upper = [...record.upper || []];
  for (let n = step.node; n; n = n.parent) if (!missing(n.col) && n.col >= 0) {
    if (!missing(n.lower) && (missing(lower[n.col]) || n.lower > lower[n.col])) lower[n.col] = n.lower;
    if (!missing(n.upper) && (missing(upper[n.col]) || n.upper < upper[n.col])) upper[n.col] = n.upper;
  }
  const flat = record.n === 2 && record.start, path = [];
  if (step.pivot) for (let k = i; k >= 0 && record.steps[k].pivot; k--) { if (record.steps[k].pivot.x) path.unshift(record.steps[k].pivot.x); if (record.steps[k].pivot.e === "start") break; }
  const spot = path.length ? path : step.point && step.point.x ? [step.point.x] : [];
  return [["What happens", integerNodePanel(step), 1],
    flat ? ["Feasible region, cuts and current node", [...polytope(spot, { cuts: record.cuts.slice(0, step.cuts), part: { lower, upper }, redraw }),
      make("p", { class: "soft" }, "Blue: relaxation; green: current node, after cuts (dashed) and branching; small dots: integer points; large dot: current point, with its level line dotted.")], 2] : null,
    ["Cuts", cutPanel(step), flat ? 1 : 2], step.pivot ? ["The basis and its factors", basisPanel(step), 2] : null];
}
