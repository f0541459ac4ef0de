// plan.js - what happened at a node of the search over policies, in words and pictures.
// Less than 0 by rounding is 0.
const regret = (tree, x) => missing(x) ? null : x < 0 && x > -1e-6 ? 0 : tiny(x * tree.spread);
// Environments of a tree, which are those of its plan.
const environment = (tree, k) => record.environments[tree && tree.segment ? tree.segment.env[k] : k];
const environments = tree => tree && tree.segment ? tree.segment.env.map(k => record.environments[k]) : record.environments;
const from0 = tree => tree.segment ? tree.segment.time : 0;

function knowledge(tree, set) {
  const members = tree.sets && tree.sets[set];
  if (!members) return "";
  if (members.length === record.environments.length) return members.length > 1 ? "with all environments possible" : "";
  const names = members.slice(0, 4).map(k => environment(tree, k)).join(" or ");
  return `knowing ${names}${members.length > 4 ? ` or ${members.length - 4} more` : ""}`;
}

// place: [time, state, set of environments, state of the boundary or -1]
function placeWords(tree, [time, state, set, boundary]) {
  const known = knowledge(tree, set);
  const looked = boundary >= 0 && time > tree.L && tree.L > 0 ? `, by way of ${record.states[boundary]} at t = ${tree.L + from0(tree)}` : "";
  return `at ${record.states[state]}, t = ${time + from0(tree)}${known ? ", " + known : ""}${looked}`;
}

const optionWords = option => option >= 0 ? record.actions[option] : `way on ${-option}`;

function decisionWords(tree, node) {
  if (!node.at) return tree.kind === "boxes" ? "all probabilities from 0 to 1" : "all policies of this kind";
  if (!missing(node.most)) return `${placeWords(tree, node.at)}: ${optionWords(node.do)} with a probability of ${number(node.most, 4)} or less`;
  if (!missing(node.least)) return `${placeWords(tree, node.at)}: ${optionWords(node.do)} with a probability of ${number(node.least, 4)} or more`;
  if (!missing(node.do)) return `${placeWords(tree, node.at)}: ${optionWords(node.do)}`;
  const [promise, k, threshold, above] = node.split;
  return `${placeWords(tree, node.at)}: ${promise ? "promise probability" : "reward"} from there ${above ? "more" : "no more"} than ` +
    `${number(promise ? threshold : threshold * tree.spread, 4)} in ${environment(tree, k)}`;
}

// By how much a bound that was enough is below the best, where that is more than rounding.
const gap = (bound, best) => missing(bound) || missing(best) || best - bound <= 2e-6 * (1 + Math.abs(best)) ? "" : number(best - bound, 3);

function sourceWords(tree, node) {
  const pure = node.pure, mix = node.mix;
  if (missing(mix) && missing(pure)) return "no bound was computed";
  const parts = [];
  const shown = x => x > 1e-9 ? number(regret(tree, x)) : "no more than 0";
  if (tree.kind === "boxes") return `the best mixture in this box has ${shown(mix)}`;
  if (!missing(mix)) parts.push(`mixtures of policies give ${shown(mix)}`);
  if (!missing(pure)) parts.push(`deterministic policies in one environment alone give ${shown(pure)}`);
  return parts.join(", ") + (parts.length > 1 ? `; the ${pure > mix ? "second (pairs) is" : "first (mixtures) is"} the better bound` : "");
}

function endWords(tree, node) {
  const what = tree.goal === "total" ? "total regret" : "regret", b = number(regret(tree, node.b)), off = gap(regret(tree, node.b), regret(tree, node.inc));
  switch (ENDS[node.end]) {
  case "branched": {
    if (tree.kind === "boxes") return `Its bound ${b} does not prune it, so the range of the probability in which policies differ most is divided.`;
    const where = node.kids.length && node.kids[0].at ? ` ${placeWords(tree, node.kids[0].at)}` : "";
    const kids = node.children || node.kids.length;
    return `Its bound ${b} does not prune it, so it branches${where}, where policies differ: ` +
      (kids > 1 ? `${kids} children are open.` : kids ? "one child is open, the others are pruned at once by their bounds." : "every child is pruned at once by its bound.");
  }
  case "bound":
    return node.unseen
      ? `Pruned without evaluation: its inherited bound ${b} exceeds the best known ${what} ${number(regret(tree, node.inc))}.`
      : `Pruned: its bound on the ${what} is ${b}, and a plan with ${number(regret(tree, node.inc))} is known${off ? `; the difference ${off} is within the gap` : ""}.`;
  case "infeasible": return tree.goal === "total" ? "No policy in it keeps the promise and the least maximum regret." : "No policy in it keeps the promise in every environment.";
  case "integer": return tree.kind === "boxes" ? "The best mixture is one policy here, whose value is known." : "Only one policy is left, and its value is known.";
  default: return "A limit was reached before it ended.";
  }
}

function nodePanel(tree, node) {
  const name = tree.kind === "boxes" ? "Box" : "Node", out = [make("p", {}, make("strong", {}, `${name} ${node.id}`), `: ${decisionWords(tree, node)}`)];
  const path = [];
  for (let n = node.parent; n && n.at; n = n.parent) path.unshift(decisionWords(tree, n));
  if (path.length) out.push(make("p", { class: "soft" }, "decided before: " + path.slice(-5).join("; ") + (path.length > 5 ? `; and ${path.length - 5} above` : "")));
  out.push(make("p", {}, endWords(tree, node)));
  const own = Math.max(...[node.mix, node.pure].filter(x => !missing(x))), earlier = node.b > own + 1e-6 * (1 + Math.abs(own));
  if (own > -Infinity) out.push(make("p", { class: "soft" }, `${earlier ? "An earlier bound is tighter than those computed here" : "Its bound"}: ${sourceWords(tree, node)}.`));
  if (node.better) out.push(make("p", { class: "good" }, `A better plan was found here: ${number(regret(tree, node.inc))}.`));
  if (node.given_up) out.push(make("p", { class: "soft" }, tree.kind === "boxes" ? `${node.given_up} halves of ranges were pruned: policies there are no better than the cutoff.` : `${node.given_up} options are fixed below: policies that use one are no better than the cutoff.`));
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

const from = (found, node) => !node || found.node === node ? "" : ` (of node ${found.node.id}, the nearest recorded ancestor)`;

// Bars per environment, unless there is nothing to see.
function environmentBars(tree, values, series) {
  const names = environments(tree), some = series.map((_, j) => j).filter(j => values.some(v => v[j] > 1e-9));
  if (!some.length) return null;
  return [bars(names.map((name, k) => ({ name, values: some.map(j => values[k][j]) })), some.map(j => series[j]), some.map(j => colour(j))),
    some.length > 1 || series.length > 1 ? legend(some.map(j => [series[j], colour(j)])) : null];
}

function multiplierPanel(tree, node, prices) {
  const found = prices ? { seen: { mixture: prices } } : detailOf(tree, node, "mixture"), pairs = node && detailOf(tree, node, "pairs"), out = [];
  if (found) {
    const m = found.seen.mixture;
    out.push(make("p", { class: "soft" }, `Multipliers of the mixture${from(found, node)}: the weight of the regret and of the promise of each environment, on separate scales. All multipliers give a bound; these give the best.`),
      ...environmentBars(tree, m.weight.map((w, k) => [w, m.mu[k]]), ["regret (lambda)", "promise (mu)"]) || [make("p", {}, "All are 0.")]);
    if (m.mu.every(x => x < 1e-9)) out.push(make("p", { class: "soft" }, "The multiplier of the promise is 0: it costs nothing here."));
    else if (m.weight.every(x => x < 1e-9)) out.push(make("p", { class: "soft" }, "Only the promise has a multiplier: it may be infeasible here."));
  }
  if (pairs) {
    const losses = pairs.seen.pairs.loss.map(x => [missing(x) ? null : Math.max(0, regret(tree, x))]), shown = environmentBars(tree, losses, ["loss"]);
    out.push(make("p", { class: "soft" }, `Lower bound on the regret of deterministic policies in each environment alone${from(pairs, node)}${shown ? ":" : ": 0."}`), ...shown || []);
  }
  return out.length ? out : null;
}

// ---- the model's own graph ------------------------------------------------------------------------------------------

// Coordinates in the names (x=1,y=2), else layers by distance from the first state.
function placeStates() {
  const named = record.states.map(s => [/(?:^|[^a-z])x\s*=?\s*(-?\d+)/i.exec(s), /(?:^|[^a-z])y\s*=?\s*(-?\d+)/i.exec(s)]);
  if (named.every(([x, y]) => x && y)) {
    const cells = new Map(), cell = named.map(([x, y]) => `x=${x[1]},y=${y[1]}`);
    const number = cell.map(key => (cells.set(key, (cells.get(key) || 0) + 1), cells.get(key) - 1));
    const across = Math.ceil(Math.sqrt(Math.max(...cells.values()))); // states beside each other in a cell
    const off = n => across > 1 ? 0.8 * (n + 0.5) / across - 0.4 : 0;
    return { grid: true, across, cell, at: named.map(([x, y], s) =>
      [Number(x[1]) + off(number[s] % across), -Number(y[1]) + off(Math.floor(number[s] / across)) - (across > 1 ? 0.05 : 0)]) };
  }
  const layer = record.states.map(() => -1), queue = [record.initial], wide = [];
  layer[record.initial] = 0;
  for (const s of queue) for (const [a, , b] of record.moves) if (a === s && layer[b] < 0) layer[b] = layer[s] + 1, queue.push(b);
  const last = Math.max(...layer), count = record.states.length;
  if (last <= 2 && count > 4) { // all but a clique: a circle
    const r = Math.max(1.2, count / 6);
    return { grid: false, across: 1, at: record.states.map((_, s) => [r * Math.sin(2 * Math.PI * s / count), -r * Math.cos(2 * Math.PI * s / count)]) };
  }
  return { grid: false, across: 1, at: layer.map(l => {
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
  if (!found || !found.seen.mixture.mass) return null;
  const mass = found.seen.mixture.mass.map(([place, ...rest]) => {
    const shares = [];
    for (let i = 0; i < rest.length; i += 2) shares.push([rest[i], rest[i + 1]]);
    return { place, shares, split: shares.length > 1, sum: shares.reduce((s, [, m]) => s + m, 0) };
  });
  const off = m => m.sum - Math.max(...m.shares.map(s => s[1]));
  const worst = mass.filter(m => m.split).sort((a, b) => off(b) - off(a));
  const time = shownTime !== null ? shownTime : worst.length ? worst[0].place[0] : 0;
  const { at, grid, across, cell } = placeStates.cache || (placeStates.cache = placeStates()), here = new Map();
  for (const m of mass) if (m.place[0] === time) {
    const old = here.get(m.place[1]) || { shares: new Map(), split: false, sum: 0 };
    for (const [o, w] of m.shares) old.shares.set(o, (old.shares.get(o) || 0) + w);
    old.split = old.split || m.split;
    old.sum += m.sum;
    here.set(m.place[1], old);
  }
  const middle = x => grid ? Math.round(x) : x, xs = at.map(p => middle(p[0])), ys = at.map(p => middle(p[1])), x0 = Math.min(...xs), y0 = Math.min(...ys), w = Math.max(...xs) - x0 + 1, h = Math.max(...ys) - y0 + 1;
  const unit = Math.max(26, Math.min(110, 760 / w)), X = s => (at[s][0] - x0 + 0.5) * unit, Y = s => (at[s][1] - y0 + 0.5) * unit;
  const size = 12 * Math.max(1, w * unit / (narrow() ? 330 : 560)); // as seen, 12 pixels
  const out = make("svg", { viewBox: `0 0 ${w * unit} ${h * unit + 0.3 * size}`, style: `max-width:${Math.max(narrow() ? 300 : 420, w * unit)}px;margin:0 auto`, role: "img", "aria-label": `the mixture at time ${time}` });
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
    const m = here.get(s), r = unit / across * (m ? 0.14 + 0.16 * m.sum / most : 0.1);
    out.append(make("circle", { cx: X(s), cy: Y(s), r: unit / across * 0.12, fill: "var(--back)", stroke: kept.has(s) ? "var(--good)" : "var(--soft)", "stroke-width": kept.has(s) ? 3 : 1 }));
    if (m) out.append(pie(X(s), Y(s), r, [...m.shares]));
    if (m && m.split) out.append(make("circle", { cx: X(s), cy: Y(s), r: r + 3, fill: "none", stroke: "var(--bad)", "stroke-width": 2, "stroke-dasharray": "4 3" }));
    out.lastChild.append(make("title", {}, name));
  });
  const letters = Math.floor(unit / (0.6 * size)), names = across > 1 ? cell : record.states; // a cell's name if states share it
  if (unit > 30 && letters > 1) names.forEach((name, s) => {
    if (across > 1 && cell.indexOf(name) < s) return;
    const center = (xs[s] - x0 + 0.5) * unit;
    out.append(make("text", { x: center, y: (ys[s] - y0 + 0.96) * unit, "text-anchor": "middle", class: "soft", style: `font-size:${size}px;stroke-width:${size / 2}px` },
      fitting(name, Math.min(0.96 * unit, 2 * Math.min(center, w * unit - center)), size)));
  });
  const slide = make("input", { type: "range", min: 0, max: Math.max(0, record.horizon - 1 - from0(tree)), value: time, "aria-label": "time shown" });
  slide.addEventListener("input", () => { shownTime = Number(slide.value); redraw(); });
  const used = [...new Set(mass.filter(m => m.place[0] === time).flatMap(m => m.shares.map(s => s[0])))].sort((a, b) => a - b);
  return [make("p", { class: "soft" }, `The best mixture of policies at this time${from(found, node)}. Pies: actions; size of a pie: probability of the state; dashed ring: policies of the mixture differ; thick ring: a state of the promise.`),
    make("label", {}, `t = ${time + from0(tree)}`, slide), out, legend(used.slice(0, 12).map(o => [optionWords(o), colour(o >= 0 ? o : 5 - o)])),
    used.some(o => o < 0) ? make("p", { class: "soft" }, "A \u201cway on\u201d is a plan for all remaining steps that no other plan dominates in every environment; the search chooses among whole plans.") : null,
    worst.length ? [make("h3", {}, "Largest differences, with the probability of each action"), make("ul", { class: "plain" }, ...worst.slice(0, 6).map(m => make("li", {}, placeWords(tree, m.place), ": ",
      make("strong", {}, m.shares.sort((a, b) => b[1] - a[1]).map(([o, x]) => `${optionWords(o)} ${number(x, 3)}`).join(", ")))))]
      : make("p", {}, "The mixture is one policy.")].flat();
}

// ---- pairs, columns, levels -----------------------------------------------------------------------------------------

function pairsPanel(tree) {
  const root = tree.nodes[0] && tree.detail.get(tree.nodes[0].id), steps = root && root.pairs && root.pairs.steps;
  if (!steps || !steps.some(s => s.length)) return null;
  const shift = (record.horizon - from0(tree)) * tree.least, owed = tree.segment ? Math.max(...tree.segment.owed) : record.probability;
  const all = steps.map((s, k) => {
    const points = [];
    for (let i = 0; i < s.length; i += 2) points.push([s[i] * tree.spread + shift, s[i + 1]]);
    return { name: environment(tree, k), points, stairs: true };
  }).filter(l => l.points.length), lines = all.slice(0, COLOURS), x = lines.flatMap(l => l.points.map(p => p[0]));
  if (lines.every(l => l.points.length < 2)) return [make("p", { class: "soft" }, "At the root, each environment alone: one policy is best in both reward and promise, so the promise costs nothing there."),
    table(["environment", "reward", "promise"], all.map(l => [l.name, number(l.points[0][0]), number(l.points[0][1])]))];
  lines.push({ name: `promised: ${number(owed)}`, points: [[Math.min(...x), owed], [Math.max(...x), owed]], dash: "1 4", paint: "var(--text)", bare: true });
  return [make("p", { class: "soft" }, "At the root, each environment alone: the largest reward (horizontal) of deterministic policies that keep the promise with at least the given probability (vertical). " +
      "Each dot is a policy. The difference between the staircase and U* at the promised probability is the price of determinism."),
    chart(lines, { xname: "reward", yname: "probability of the promise", yrange: [0, 1] }), legend(lines.map((l, i) => l.dash ? [l.name, l.paint, l] : lineEntry(l.name, i))),
    all.length > COLOURS ? make("p", { class: "soft" }, `${COLOURS} of ${all.length} environments are shown.`) : null];
}

function columnPanel(tree, node, shown) {
  const found = node ? detailOf(tree, node, "columns") : { seen: { columns: tree.detail.get(1) ? tree.detail.get(1).columns.slice(0, shown) : [] } };
  if (!found || !found.seen.columns.length) return null;
  const c = found.seen.columns, names = environments(tree), few = narrow() ? 2 : 4, digits = narrow() ? 4 : 6, valued = c.some(x => !missing(x.value)), from1 = Math.max(0, c.length - 12);
  return [make("p", { class: "soft" }, `Column generation${from(found, node)}: each line is the best policy for the previous multipliers. The bound is their Lagrangian bound; the mixture is the best of the policies so far.`),
    valued && node ? chart([{ name: "mixture", points: c.map((x, i) => [i + 1, regret(tree, x.value)]) }, { name: "bound", points: c.map((x, i) => [i + 1, regret(tree, x.bound)]), stairs: true }],
      { xname: "policies", yname: "regret", height: 190, settle: true }) : null, valued && node ? legend([lineEntry("mixture", 0), lineEntry("bound", 1)]) : null,
    valued ? null : make("p", { class: "soft" }, "No mixture of these keeps the promise; the multipliers weigh the violated promises."),
    table(["policy", "mixture", "bound", ...names.slice(0, few).map(n => `regret ${n}`), ...names.slice(0, few).map(n => `promise ${n}`)],
      c.slice(from1).map((x, i) => [from1 + i + 1, number(regret(tree, x.value), digits), number(regret(tree, x.bound), digits), ...x.regret.slice(0, few).map(r => number(regret(tree, r), 4)), ...x.kept.slice(0, few).map(p => missing(p) ? "none" : String(Number(p.toFixed(4))))]),
      node ? -1 : c.length - 1 - from1),
    from1 || names.length > few ? make("p", { class: "soft" }, [from1 ? `The last 12 of ${c.length} policies` : "", names.length > few ? `${few === 2 ? "two" : "four"} of ${names.length} environments` : ""].filter(x => x).join(", ") + ".") : null];
}

// ---- the whole history, local search, plans made again ---------------------------------------------------------------

function historyPanel(step) {
  const tree = step.tree, c = tree.detail.get(1).columns[step.columns - 1];
  if (step.mixed) return [make("p", {}, missing(step.best) ? "No mixture of policies keeps the promise in every environment." : `No further policy improves the mixture: its regret ${number(regret(tree, step.best))} is optimal over randomised history-dependent policies.`),
    make("p", { class: "soft" }, `${step.columns} policies were recorded. The mixture equals one policy, whose action probabilities are weighted by the probabilities of reaching each state.`)];
  const first = !c || missing(c.value);
  return [make("p", {}, make("strong", {}, `Policy ${step.columns}`), first ? ": no mixture of these policies keeps the promise; the multipliers weigh the violated promises." : `: the mixture of the previous policies has regret ${number(regret(tree, c.value))}.`),
    make("p", { class: "soft" }, `One backward induction found the best policy for these multipliers, which enters. Every policy has at least the regret ${number(regret(tree, step.bound))} (bound).`)];
}

function descentPanel(step) {
  const tree = step.tree, all = tree.descents.slice(0, step.descents), d = step.descent;
  const starts = { history: "the mixture's policy", deterministic: "the best deterministic policy", alone: "the best policy of one environment", given: "a given policy", random: "random probabilities", vertex: "a random deterministic policy, moved inside", disturbed: "the incumbent, partly redrawn" };
  return [make("p", {}, make("strong", {}, `Descent ${step.descents}`), ` from ${starts[d.start]}: ends at ${number(regret(tree, d.regret))}${d.short > 1e-9 ? `, but ${number(d.short, 3)} short of the promise` : ""}, after ${d.work} simplex iterations.`),
    make("p", { class: "soft" }, "Each step solves a linear program of regrets and promises linearised at the policy, followed by a line search. A policy that no step improves is a local optimum; other starts may end elsewhere."),
    chart([{ name: "end", points: all.map((x, i) => [i + 1, regret(tree, x.regret)]) }, { name: "best", points: all.map((x, i) => [i + 1, regret(tree, x.inc)]), stairs: true }], { xname: "descents", yname: "regret", height: 190 }),
    legend([lineEntry("end of each descent", 0), lineEntry("best so far", 1)]),
    table(["descent", "from", "regret", "short of promise", "optimum"], all.slice(-8).map((x, i) => [Math.max(0, all.length - 8) + i + 1, x.start, number(regret(tree, x.regret)), number(tiny(Math.max(0, x.short)), 3), x.optimum + 1]), Math.min(8, all.length) - 1)];
}

function segmentPanel(segment) {
  const p = segment.planned, paid = p ? (record.horizon - segment.time) * p.least : 0, names = segment.env.map(k => record.environments[k]);
  const out = [make("p", {}, make("strong", {}, `Plan ${segment.id + 1}`), `: at ${record.states[segment.state]}, t = ${segment.time}, ${names.length === record.environments.length ? "all environments are possible" : `knowing ${names.slice(0, 6).join(" or ")}`}.`),
    make("p", { class: "soft" }, segment.id ? "It owes the remaining promise of the previous plan, whose rest it replaces." : "The first plan owes the full promise.")];
  if (p && p.kept_on) out.push(make("p", {}, "No better plan was found: the plan in force continues."));
  out.push(p && p.U ? table(["environment", "owes", "will keep", "U*", "U", "regret"], names.slice(0, 12).map((n, k) => [n, number(segment.owed[k]), number(p.promise[k]), number(p.spread * p.optimal[k] + paid), number(p.spread * p.U[k] + paid), number(tiny(Math.max(0, p.spread * (p.optimal[k] - p.U[k]))))]))
    : table(["environment", "owes"], names.slice(0, 12).map((n, k) => [n, number(segment.owed[k])])));
  if (p && p.exits && p.exits.some(([child]) => child >= 0)) {
    const kids = p.exits.filter(([child]) => child >= 0);
    out.push(make("p", { class: "soft" }, `After ${p.steps} step${p.steps === 1 ? "" : "s"} it is replaced: ${kids.slice(0, 8).map(([c, most]) => `plan ${c + 1} (probability up to ${number(most, 3)})`).join(", ")}${kids.length > 8 ? `, and ${kids.length - 8} more` : ""}.`));
  }
  return out;
}

// How plans are drawn, by what became of them.
const PLANS = { best: ["planned, proved best", "var(--good)", END_SHAPES.branched], open: ["planned, not proved", "var(--c1)", END_SHAPES.bound], kept: ["the plan in force continues", "var(--c4)", END_SHAPES.integer],
  later: ["to come", "var(--line)", END_SHAPES.limit] };

// Plans by time, each with the plans that follow it.
function segmentsPanel(step, go) {
  const all = record.segments.filter(s => s), layers = new Map(), i = record.steps.indexOf(step);
  for (const s of all) { if (!layers.has(s.depth)) layers.set(s.depth, []); layers.get(s.depth).push(s); }
  const deepest = Math.max(...layers.keys()), widest = Math.max(...[...layers.values()].map(l => l.length)), W = drawn(true), r = widest > 40 ? 3 : 6;
  const height = Math.min(420, Math.max(60, widest * 22)), place = new Map();
  for (const [depth, list] of layers) list.forEach((s, j) => place.set(s.id, [20 + (deepest ? depth / deepest : 0.5) * (W - 40), 14 + (j + 0.5) / list.length * (height - 28)]));
  const out = make("svg", { viewBox: `0 0 ${W} ${height + 20}`, role: "img", "aria-label": "plans over time" });
  for (const s of all) if (s.planned && s.step <= i) for (const [child] of s.planned.exits || []) if (place.has(child)) {
    const [x1, y1] = place.get(s.id), [x2, y2] = place.get(child);
    out.append(make("line", { class: "edge", x1, y1, x2, y2 }));
  }
  for (const s of all) {
    const [cx, cy] = place.get(s.id), done = s.step <= i;
    const kind = !done ? "later" : s.planned && s.planned.kept_on ? "kept" : s.planned && s.planned.status !== "optimal" ? "open" : "best", now = s === step.segment;
    const dot = make("path", { d: PLANS[kind][2], transform: `translate(${cx} ${cy}) scale(${r})`, fill: PLANS[kind][1], stroke: now ? "var(--mark)" : "var(--soft)", "stroke-width": now ? 4 : 1, "vector-effect": "non-scaling-stroke", style: "cursor:pointer" },
      make("title", {}, `plan ${s.id + 1}: ${record.states[s.state]}, t = ${s.time}`));
    dot.addEventListener("click", () => go(s.step));
    out.append(dot);
  }
  for (const [depth, list] of layers) out.append(make("text", { x: Math.min(W - 24, Math.max(24, place.get(list[0].id)[0])), y: height + 14, "text-anchor": "middle", class: "soft" }, `t = ${list[0].time}`));
  return [out, legend(Object.values(PLANS)),
    make("p", { class: "soft" }, `Plan ${step.segment.id + 1} of ${all.length}. A line leads from a plan to those that replace it. Click or touch a plan to go to it.`)];
}

function levelPanel(step) {
  if (!record.levels.length) return null;
  const spread = record.trees[0].spread;
  if (!record.levels.some(r => r.step <= step + 1)) return null;
  return [make("p", { class: "soft" }, "There are many likelihood classes, so searches over coarser classes (levels), with valid bounds, race with equal work; the better ones continue."),
    table(["classes", "work", "nodes", "inductions", "bound"], record.levels.filter(r => r.step <= step + 1).slice(-12).map(r =>
      [r.classes, number(r.work, 3), r.nodes, r.inductions, number(missing(r.bound) ? null : r.bound * spread)]))];
}
