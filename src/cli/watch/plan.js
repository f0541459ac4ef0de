// plan.js - what happened at a node of the search over policies, in words and pictures.
// Less than 0 by rounding is 0.
const regret = (tree, x) => missing(x) ? null : x < 0 && x > -1e-6 ? 0 : x * tree.spread;
const environment = k => record.environments[k];

function knowledge(tree, set) {
  const members = tree.sets && tree.sets[set];
  if (!members) return "";
  if (members.length === record.environments.length) return members.length > 1 ? "when every environment is possible" : "";
  const names = members.slice(0, 4).map(environment).join(" or ");
  return `knowing ${names}${members.length > 4 ? ` or ${members.length - 4} more` : ""}`;
}

// place: [time, state, set of environments, state of the boundary or -1]
function placeWords(tree, [time, state, set, boundary]) {
  const known = knowledge(tree, set);
  const looked = boundary >= 0 && time > tree.L && tree.L > 0 ? `, last looked in ${record.states[boundary]}` : "";
  return `at ${record.states[state]}, t = ${time}${known ? ", " + known : ""}${looked}`;
}

const optionWords = option => option >= 0 ? record.actions[option] : `continuation ${-option}`;

function decisionWords(tree, node) {
  if (!node.at) return "every policy of the class";
  if (!missing(node.do)) return `${placeWords(tree, node.at)}: ${optionWords(node.do)}`;
  const [promise, k, threshold, above] = node.split;
  return `${placeWords(tree, node.at)}: what follows ${promise ? "keeps the promise" : "earns"} ${above ? "more" : "no more"} than ` +
    `${number(promise ? threshold : threshold * tree.spread, 4)} in ${environment(k)}`;
}

function sourceWords(tree, node) {
  const pure = node.pure, mix = node.mix;
  if (missing(mix) && missing(pure)) return "nothing had been asked yet";
  const parts = [];
  const shown = x => x > 0 ? number(regret(tree, x)) : "nothing more than 0";
  if (!missing(mix)) parts.push(`mixtures of policies show ${shown(mix)}`);
  if (!missing(pure)) parts.push(`pairs of reward and promise of pure policies show ${shown(pure)}`);
  return parts.join(", ") + (parts.length > 1 ? `; the ${pure > mix ? "pairs" : "mixtures"} lead` : "");
}

function endWords(tree, node) {
  const what = tree.goal === "total" ? "total regret" : "regret", b = number(regret(tree, node.b));
  switch (ENDS[node.end]) {
  case "branched": {
    const where = node.kids.length && node.kids[0].at ? ` ${placeWords(tree, node.kids[0].at)}` : "";
    const kids = node.children || node.kids.length;
    return `Neither its bound ${b} nor a policy settles it, so it is divided${where}, where policies still differ: ` +
      (kids ? `${kids} ${kids === 1 ? "child" : "children"}.` : "every part is cut off by a bound of its own at once.");
  }
  case "bound":
    return node.unseen
      ? `Cut off unseen: the bound it was made with, ${b}, is enough now that a plan of ${what} ${number(regret(tree, node.inc))} is known.`
      : `No policy in it has less ${what} than ${b}, and a plan of ${number(regret(tree, node.inc))} is known: nothing here can be better.`;
  case "infeasible": return tree.goal === "total" ? "No policy in it keeps the promise and the least maximum regret." : "No policy in it keeps the promise in every environment.";
  case "integer": return "Only one policy is left, and its value is known.";
  default: return "A limit was reached before it was done.";
  }
}

function nodePanel(tree, node) {
  const out = [make("p", {}, make("strong", {}, `Node ${node.id}`), ` of tree ${tree.number + 1}: ${decisionWords(tree, node)}`)];
  const path = [];
  for (let n = node.parent; n && n.at; n = n.parent) path.unshift(decisionWords(tree, n));
  if (path.length) out.push(make("p", { class: "soft" }, "decided before: " + path.slice(-5).join("; ") + (path.length > 5 ? `; and ${path.length - 5} above` : "")));
  out.push(make("p", {}, endWords(tree, node)), make("p", { class: "soft" }, `Its bound: ${sourceWords(tree, node)}.`));
  if (node.better) out.push(make("p", { class: "good" }, `A better plan is known from here on: ${number(regret(tree, node.inc))}.`));
  if (node.given_up) out.push(make("p", { class: "soft" }, `${node.given_up} options are given up below: whoever uses one loses more than is left.`));
  return out;
}

// The nearest node on the way up of which more was recorded.
function detailOf(tree, node, what) {
  for (let n = node; n; n = n.parent) {
    const seen = tree.detail.get(n.id);
    if (seen && (what !== "columns" ? seen[what] : seen.columns.length)) return { seen, node: n };
  }
  return null;
}

const from = (found, node) => found.node === node ? "" : ` (of node ${found.node.id}, the nearest above it that was asked or recorded)`;

function multiplierPanel(tree, node) {
  const found = detailOf(tree, node, "mixture"), pairs = detailOf(tree, node, "pairs"), out = [];
  if (found) {
    const m = found.seen.mixture;
    out.push(make("p", { class: "soft" }, `Prices of the mixture${from(found, node)}: how much the regret of each environment counts, and its promise. Any prices give a bound; these give the best.`),
      bars(record.environments.map((name, k) => ({ name, values: [m.weight[k], m.mu[k]] })), ["regret", "promise"]),
      legend([["regret (lambda)", colour(0)], ["promise (mu)", colour(1)]]));
  }
  if (pairs) {
    out.push(make("p", { class: "soft" }, `What a pure policy loses at least in each environment alone${from(pairs, node)}, even knowing that it is there:`),
      bars(record.environments.map((name, k) => ({ name, values: [missing(pairs.seen.pairs.loss[k]) ? null : Math.max(0, regret(tree, pairs.seen.pairs.loss[k]))] })), ["loss"]));
  }
  return out.length ? out : [make("p", { class: "soft" }, "Neither was asked here.")];
}

// ---- the model's own graph ------------------------------------------------------------------------------------------

// Coordinates in the names (x=1,y=2), else layers by distance from the first state.
function placeStates() {
  const named = record.states.map(s => [/(?:^|[^a-z])x\s*=?\s*(-?\d+)/i.exec(s), /(?:^|[^a-z])y\s*=?\s*(-?\d+)/i.exec(s)]);
  if (named.every(([x, y]) => x && y)) {
    const seen = new Map();
    return { grid: true, at: named.map(([x, y]) => {
      const key = x[1] + "," + y[1], n = seen.get(key) || 0;
      seen.set(key, n + 1);
      return [Number(x[1]) + 0.12 * n, -Number(y[1]) - 0.12 * n];
    }) };
  }
  const layer = record.states.map(() => -1), queue = [record.initial], wide = [];
  layer[record.initial] = 0;
  for (const s of queue) for (const [a, , b] of record.moves) if (a === s && layer[b] < 0) layer[b] = layer[s] + 1, queue.push(b);
  const last = Math.max(...layer), count = record.states.length;
  if (last <= 2 && count > 4) { // all but a clique: a circle
    const r = Math.max(1.2, count / 6);
    return { grid: false, at: record.states.map((_, s) => [r * Math.sin(2 * Math.PI * s / count), -r * Math.cos(2 * Math.PI * s / count)]) };
  }
  return { grid: false, at: layer.map(l => {
    const column = l < 0 ? last + 1 : l;
    wide[column] = (wide[column] || 0) + 1;
    return [column, wide[column] - 1];
  }) };
}

function pie(x, y, r, shares) {
  const out = make("g", {}), sum = shares.reduce((s, [, m]) => s + m, 0);
  let turn = -Math.PI / 2;
  for (const [option, mass] of shares) {
    const next = turn + 2 * Math.PI * mass / sum, paint = colour(option >= 0 ? option : 5 - option);
    if (mass / sum > 0.999999) { out.append(make("circle", { cx: x, cy: y, r, fill: paint })); break; }
    out.append(make("path", { fill: paint, d: `M${x} ${y}L${x + r * Math.cos(turn)} ${y + r * Math.sin(turn)}A${r} ${r} 0 ${next - turn > Math.PI ? 1 : 0} 1 ${x + r * Math.cos(next)} ${y + r * Math.sin(next)}Z` }));
    turn = next;
  }
  return out;
}

let shownTime = null; // chosen by the reader; null: where the mixture disagrees most

function graphPanel(tree, node, redraw) {
  const found = detailOf(tree, node, "mixture");
  if (!found || !found.seen.mixture.mass) return [make("p", { class: "soft" }, "No mixture was asked here: the bound came from pairs, or ended the node at once.")];
  const mass = found.seen.mixture.mass.map(([place, ...rest]) => {
    const shares = [];
    for (let i = 0; i < rest.length; i += 2) shares.push([rest[i], rest[i + 1]]);
    return { place, shares, split: shares.length > 1, sum: shares.reduce((s, [, m]) => s + m, 0) };
  });
  const off = m => m.sum - Math.max(...m.shares.map(s => s[1]));
  const worst = mass.filter(m => m.split).sort((a, b) => off(b) - off(a));
  const time = shownTime !== null ? shownTime : worst.length ? worst[0].place[0] : 0;
  const { at, grid } = placeStates.cache || (placeStates.cache = placeStates()), here = new Map();
  for (const m of mass) if (m.place[0] === time) {
    const old = here.get(m.place[1]) || { shares: new Map(), split: false, sum: 0 };
    for (const [o, w] of m.shares) old.shares.set(o, (old.shares.get(o) || 0) + w);
    old.split = old.split || m.split;
    old.sum += m.sum;
    here.set(m.place[1], old);
  }
  const xs = at.map(p => p[0]), ys = at.map(p => p[1]), x0 = Math.min(...xs), y0 = Math.min(...ys), w = Math.max(...xs) - x0 + 1, h = Math.max(...ys) - y0 + 1;
  const unit = Math.max(26, Math.min(110, 760 / w)), X = s => (at[s][0] - x0 + 0.5) * unit, Y = s => (at[s][1] - y0 + 0.5) * unit;
  const out = make("svg", { viewBox: `0 0 ${w * unit} ${h * unit}`, role: "img", "aria-label": `what the mixture does at time ${time}` });
  const drawn = new Set();
  for (const [a, , b] of record.moves) {
    const key = a * record.states.length + b;
    if (a === b || drawn.has(key)) continue;
    drawn.add(key);
    const bend = grid ? 0 : 0.15, mx = (X(a) + X(b)) / 2 + bend * (Y(b) - Y(a)), my = (Y(a) + Y(b)) / 2 - bend * (X(b) - X(a));
    out.append(make("path", { class: "edge", d: `M${X(a)} ${Y(a)}Q${mx} ${my} ${X(b)} ${Y(b)}` }));
  }
  const most = Math.max(1e-9, ...[...here.values()].map(m => m.sum)), kept = new Set(record.kept);
  record.states.forEach((name, s) => {
    const m = here.get(s), r = unit * (m ? 0.14 + 0.16 * m.sum / most : 0.1);
    out.append(make("circle", { cx: X(s), cy: Y(s), r: unit * 0.12, fill: "var(--back)", stroke: kept.has(s) ? "var(--good)" : "var(--soft)", "stroke-width": kept.has(s) ? 3 : 1 }));
    if (m) out.append(pie(X(s), Y(s), r, [...m.shares]));
    if (m && m.split) out.append(make("circle", { cx: X(s), cy: Y(s), r: r + 3, fill: "none", stroke: "var(--bad)", "stroke-width": 2 }));
    if (unit > 30) out.append(make("text", { x: X(s), y: Y(s) + unit * 0.46, "text-anchor": "middle", class: "soft" }, name.length * 7 > unit * 1.1 ? name.slice(0, Math.floor(unit / 8)) + "\u2026" : name));
    out.lastChild.append(make("title", {}, name));
  });
  const slide = make("input", { type: "range", min: 0, max: Math.max(0, record.horizon - 1), value: time, "aria-label": "time shown" });
  slide.addEventListener("input", () => { shownTime = Number(slide.value); redraw(); });
  const used = [...new Set(mass.filter(m => m.place[0] === time).flatMap(m => m.shares.map(s => s[0])))].sort((a, b) => a - b);
  return [make("p", { class: "soft" }, `What the mixture does${from(found, node)}; where different histories do different things a red ring stands. States of the promise are ringed in green.`),
    make("label", {}, `time ${time}`, slide), out, legend(used.slice(0, 12).map(o => [optionWords(o), colour(o >= 0 ? o : 5 - o)])),
    worst.length ? table(["disagreement", "", ""], worst.slice(0, 6).map(m => [placeWords(tree, m.place), m.shares.sort((a, b) => b[1] - a[1]).map(([o, x]) => `${optionWords(o)} ${number(x, 3)}`).join(", "), ""]))
      : make("p", {}, "It disagrees nowhere: the mixture is one policy.")];
}

// ---- pairs, columns, rungs -----------------------------------------------------------------------------------------

function pairsPanel(tree) {
  const root = tree.nodes[0] && tree.detail.get(tree.nodes[0].id), steps = root && root.pairs && root.pairs.steps;
  if (!steps || !steps.some(s => s.length)) return null;
  const shift = record.horizon * tree.least;
  const lines = steps.map((s, k) => {
    const points = [];
    for (let i = 0; i < s.length; i += 2) points.push([s[i] * tree.spread + shift, s[i + 1]]);
    return { name: environment(k), points, stairs: true };
  }).filter(l => l.points.length).slice(0, COLOURS);
  lines.push({ name: "promise", points: [[Math.min(...lines.flatMap(l => l.points.map(p => p[0]))), record.probability], [Math.max(...lines.flatMap(l => l.points.map(p => p[0]))), record.probability]], dash: "5 4" });
  return [make("p", { class: "soft" }, "At the root, each environment alone: the most reward (across) that a pure policy earns there while it keeps the promise with at least the probability (up). " +
      "What is missing to U* at the promise is the regret of having no coins."),
    chart(lines, { xname: "reward", yname: "probability of the promise" }), legend(lines.map((l, i) => [l.name, colour(i)]))];
}

function columnPanel(tree, node) {
  const found = detailOf(tree, node, "columns");
  if (!found) return null;
  const c = found.seen.columns;
  return [make("p", { class: "soft" }, `Column generation${from(found, node)}: each line is a policy that the last prices called for. The bound is what the prices prove, the mixture what the policies so far can do together.`),
    chart([{ name: "mixture", points: c.map((x, i) => [i + 1, regret(tree, x.value)]) }, { name: "bound", points: c.map((x, i) => [i + 1, regret(tree, x.bound)]), stairs: true }],
      { xname: "policies", yname: "regret", height: 190, settle: true }), legend([["mixture", colour(0)], ["bound", colour(1)]]),
    table(["policy", "mixture", "bound", ...record.environments.slice(0, 5).map(n => `regret ${n}`)],
      c.slice(0, 12).map((x, i) => [i + 1, number(regret(tree, x.value)), number(regret(tree, x.bound)), ...x.regret.slice(0, 5).map(r => number(regret(tree, r), 4))]))];
}

function rungPanel(step) {
  if (!record.rungs.length) return null;
  const spread = record.trees[0].spread;
  return [make("p", { class: "soft" }, "Where likelihood classes are many, searches over fewer of them race with the same work each; the better ones go on."),
    table(["classes", "work", "nodes", "inductions", "bound"], record.rungs.filter(r => r.step <= step + 1).slice(-12).map(r =>
      [r.classes, number(r.work, 3), r.nodes, r.inductions, number(missing(r.bound) ? null : r.bound * spread)]))];
}
