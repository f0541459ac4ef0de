// page.js - the page: what was found, the time line, the panels, and going through the steps.
const LAST = record.steps.length - 1;
const state = { step: opening(), node: null, playing: null };

// The last step of the search whose result is told above: where a second one makes the total regret least, that of the first.
function opening() {
  const told = record.kind === "plan" && record.method !== "ccil" ? record.steps.filter(s => s.tree && s.tree.goal !== "total") : [];
  const shows = told.filter(s => !missing(s.best) && !missing(record.value) && Math.abs(regret(s.tree, s.best) - record.value) <= 1e-6 * (1 + Math.abs(record.value)));
  const of = shows.length ? shows : told;
  return Math.max(0, of.length ? record.steps.indexOf(of[of.length - 1]) : LAST);
}

// How far what was found is from what is proved.
const apart = () => record.kind === "plan" ? gap(record.bound, record.value) : missing(record.bound) || missing(record.value) ? "" : gap(-Math.abs(record.value - record.bound), 0);

const count = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

function resultWords() {
  const value = number(record.kind === "plan" ? tiny(record.value) : record.value, 9);
  if (record.kind === "plan") {
    if (record.method === "ccil" && !missing(record.value)) return `Replanning every few steps: maximum regret ${value} (the first plan, followed to the end: ${number(record.first)}). ${count(record.plans, "plan")} made, ` +
      `${record.reused} reused${record.missing ? `; ${record.missing} knowledge states have no plan` : ""}.`;
    const first = { optimal: `Proved optimal: maximum regret ${value}${apart() ? `, at least ${number(record.bound)} proved` : ""}.`, feasible: `A limit was reached: maximum regret ${value} found, at least ${number(record.bound)} proved.`,
      infeasible: "Proved: no policy keeps the promise in every environment.", limit: "A limit was reached before a policy was found.", numerical: "Numerical trouble: nothing is certified." }[record.status];
    return `${first} ${count(record.nodes, "node")}, ${count(record.iterations, record.method === "milp-ccl" ? "backward induction" : "iteration")}.`;
  }
  const first = { optimal: `Optimal: ${value}.`, infeasible: "Infeasible: no point satisfies every row.", unbounded: "Unbounded: the objective improves without end.",
    limit: `A limit was reached${missing(record.value) ? "" : `: ${value} found`}${missing(record.bound) ? "" : `, bound ${number(record.bound, 9)}`}.` }[record.status] || record.status;
  return `${first} ${record.kind === "mip" ? `${count(record.nodes, "node")}, ` : ""}${count(record.iterations, "pivot")}; ${count(record.m, "row")}, ${count(record.n, "column")}` +
    `${record.presolved ? " (after presolve, as far as it was solved)" : ", solved without presolve"}.`;
}

function thinnedWords() {
  const nodes = record.steps.filter(s => s.node).length, pivots = record.steps.filter(s => s.pivot && s.pivot.e === "pivot").length;
  if (record.kind === "lp") return pivots < record.iterations ? `A long solve: the page shows ${pivots} of ${record.iterations} pivots, evenly spread.` : "";
  if (record.method === "ccil") return record.segments.filter(x => x).length < record.plans ? `A long evaluation: the page shows the first ${record.segments.length} of ${record.plans} plans.` : "";
  if (nodes < record.nodes && (record.kind === "mip" || record.method === "milp-ccl")) return `A long search: the page shows the first ${nodes} of ${record.nodes} nodes, with details for some.`;
  const known = record.trees.flatMap(t => t.nodes.filter(n => t.detail.has(n.id) || n.unseen || ENDS[n.end] === "infeasible")).length;
  if (nodes > known) return `A long search: the page shows all ${nodes} nodes, with details for ${known} of them, spread over the search.`;
  return "";
}

// Steps that share a bound and a best.
function runOf(step) {
  const all = record.steps.map((s, k) => [s, k]);
  return record.kind === "plan" ? all.filter(([s]) => s.tree && step.tree && s.tree.run === step.tree.run) : all;
}

function unitWords(step) {
  if (record.kind === "mip") return "pivots and rounds of cuts at the root, then nodes as they ended";
  return { history: "policies as they entered the mixture", descents: "descents of local search", boxes: "boxes as they ended" }[step.tree.kind] || "nodes as they ended";
}

function timeline(i) {
  const step = record.steps[i];
  if (record.kind === "lp") return record.steps.length < 2 ? null : [chart([{ name: "objective", points: record.steps.map((s, k) => [k + 1, objective(s.pivot.obj)]) }], { at: i + 1, xname: "steps", yname: "objective", whole: true, settle: true }),
    make("p", { class: "soft" }, "Horizontal: starts and pivots; vertical: the objective of the current working problem, which differs from the original one in phase 1 and after shifts of costs or bounds.")];
  const same = runOf(step), thin = Math.ceil(same.length / 1500), total = step.tree.goal === "total";
  const scale = record.kind === "plan" ? x => regret(step.tree, x) : x => x;
  const what = record.kind !== "plan" ? "objective" : total ? "total regret (second stage: among the best plans)" : "maximum regret";
  const line = (name, f) => ({ name, stairs: true, points: same.filter((_, k) => k % thin === 0 || k === same.length - 1).map(([s, k]) => [k + 1, scale(f(s))]) });
  const last = same[same.length - 1][0], known = same.some(([s]) => !missing(s.best));
  const words = `Horizontal: ${unitWords(step)}; vertical: ${what}. ${!known ? record.kind === "plan" ? "No plan was found that keeps the promise; the bound rises until no node is open." : "No point was found." : total || !apart() ? "The search ends where the two meet." : record.status === "optimal" ? `The search ends when the two differ by less than the gap, here by ${apart()}.` : `A limit ended the search ${apart()} before the two met.`}`;
  if (same.length === 1) return [make("p", {}, missing(last.best) || missing(last.bound) ? `One step was enough${missing(last.bound) ? "." : `: ${what} ${number(scale(last.bound))}.`}` :
    `One step was enough: the best plan known, ${number(scale(last.best))}, and the bound, ${number(scale(last.bound))}, ${Math.abs(scale(last.best) - scale(last.bound)) < 1e-6 * (1 + Math.abs(scale(last.best))) ? "met at once" : "differ by less than the gap"} (${what}).`)];
  const names = record.kind === "plan" && step.tree.kind === "history" ? ["mixture", "bound proved"] : ["best known", "bound proved"];
  return [chart([line(names[0], s => s.best), line(names[1], s => s.bound)], { at: i + 1, xname: "steps", yname: what, whole: true, xrange: [same[0][1] + 1, same[same.length - 1][1] + 1], settle: step.tree.kind === "history" }),
    legend([...known ? [lineEntry(names[0], 0)] : [], lineEntry(names[1], 1)]), make("p", { class: "soft" }, words)];
}

function treePanel(step) {
  const canvas = make("canvas", { tabindex: 0, role: "img", "aria-label": "search tree; click a node to select it" });
  canvas.addEventListener("click", event => { const n = nodeAt(canvas, event); if (n) { state.node = n; show(); } });
  const seen = new Set(step.tree.nodes.map(n => ENDS[n.end])), boxes = step.tree.kind === "boxes";
  const entries = Object.entries(END_NAMES).filter(([end]) => seen.has(end)).map(([end, name]) => [boxes && end === "integer" ? "one policy is best" : name, `var(${END_PAINT[end]})`, END_SHAPES[end]]);
  const of = step.tree.segment ? record.trees.filter(t => t.segment === step.tree.segment) : record.trees.filter(t => t.nodes.length);
  const why = step.tree.why ? make("p", { class: "soft" }, `Tree ${of.indexOf(step.tree) + 1} of ${of.length}: ${step.tree.why}; ${step.tree.goal === "total" ? "least total regret among the best plans" : "least maximum regret"}, ` +
    `${count(step.tree.places, "decision")}${missing(step.tree.classes) ? "" : `, ${count(step.tree.classes, "likelihood class").replace("classs", "classes")}`}.`) : null;
  const better = step.tree.nodes.some(n => n.better) ? "A frame marks a node with a better incumbent. " : "";
  const bare = step.tree.nodes.some(n => ENDS[n.end] === "branched" && !n.kids.length) ? "A branched node without children: they were pruned at once, or the search ended first. " : "";
  return [why, canvas, legend(entries), make("p", { class: "soft" }, `${better}${bare}Click or touch a node to select it; the blue line is the path from the root.`)];
}

const body = make("div", { class: "panels" }), slider = make("input", { type: "range", min: 0, max: Math.max(0, LAST), value: state.step, "aria-label": "step" }), now = make("output", {});

function section(title, content, wide) {
  return make("section", wide ? { class: "whole" } : {}, make("h2", {}, title), ...content);
}

// Panels of a step: [title, content or null, 0: across the page, 1: left, 2: right].
function planPanels(step, i, node) {
  const tree = step.tree, list = [];
  if (step.segment) list.push(["Replanning", segmentsPanel(step, go), 0], [`Plan ${step.segment.id + 1}`, segmentPanel(step.segment), 1]);
  if (!tree) return list;
  list.unshift(["Bound and incumbent over time", timeline(i), 0]);
  if (tree.kind === "history") {
    const columns = tree.detail.get(1).columns, prices = step.mixed ? tree.detail.get(1).mixture : columns[step.columns - 1];
    list.push([step.mixed ? "The mixture" : "A policy enters", historyPanel(step), 1], ["Prices", prices && multiplierPanel(tree, null, prices), 2],
      ["Column generation", columnPanel(tree, null, step.columns), 1], step.mixed ? ["The model and the mixture", graphPanel(tree, { id: 1 }, show), 2] : null);
    return list;
  }
  if (tree.kind === "descents") return [...list, ["Local search", descentPanel(step), 1]];
  list.push([tree.kind === "boxes" ? "Boxes of probabilities" : "Search tree", treePanel(step), 0], [tree.kind === "boxes" ? "This box" : "This node", nodePanel(tree, node), 1],
    ["The model and the mixture", graphPanel(tree, node, show), 1], ["Prices and losses", multiplierPanel(tree, node), 2], ["Column generation", columnPanel(tree, node), 2],
    ["Pairs of reward and promise", pairsPanel(tree), 1], ["Levels", levelPanel(i), 2]);
  return list;
}

function programPanels(i) {
  if (record.kind === "lp") return [["The objective over time", timeline(i), 0], ...linearPanels(i, show)];
  return [["Bound and incumbent over time", timeline(i), 0], record.trees[0].nodes.some(n => n.step <= i) ? ["Search tree", treePanel(record.steps[i]), 0] : null, ...integerPanels(state.node ? state.node.step : i, show)];
}

function show() {
  const i = state.step, step = record.steps[i];
  slider.value = i;
  if (!step) { body.replaceChildren(section("Nothing to replay", [make("p", {}, record.kind === "plan" ? "No search took place: " + (record.status === "infeasible"
    ? "in one environment no policy keeps the promise." : "no search was needed.") : "The problem was solved without a pivot.")], true), ...figures()); now.textContent = ""; return; }
  if (state.node && state.node.step > i) state.node = null;
  const node = state.node || step.node, tree = step.tree, spot = window.scrollY;
  const list = (record.kind === "plan" ? planPanels(step, i, node) : programPanels(i)).filter(e => e && e[1]);
  const side = which => make("div", { class: "side" }, ...list.filter(e => e[2] === which).map(([t, c]) => section(t, c)), ...which === 2 ? figures() : []);
  body.replaceChildren(...list.filter(e => e[2] === 0).map(([t, c]) => section(t, c, true)), side(1), side(2));
  fitTables(body);
  const canvas = body.querySelector("canvas");
  if (canvas) drawTree(canvas, tree, i, node);
  window.scrollTo(0, spot);
  now.textContent = `step ${i + 1} of ${LAST + 1}${stepWords(step, node)}`;
}

function stepWords(step, node) {
  if (node) return record.kind === "plan" ? `: ${decisionWords(step.tree, node)}` : `: ${branchWords(node)}`;
  if (step.pivot) return step.pivot.e === "pivot" ? `: ${variable(step.pivot.in, step.pivot)} enters` : ": the method begins";
  if (step.point) return ": the relaxation is solved";
  if (step.descent) return `: descent ${step.descents}`;
  if (step.columns) return step.mixed ? ": the mixture" : `: policy ${step.columns} enters`;
  return step.segment ? `: plan ${step.segment.id + 1}` : "";
}

function figures() {
  if (record.kind !== "plan") return [];
  const found = record.figures.some(f => !missing(f.value)), alone = record.figures.some(f => !missing(f.largest) && f.largest < record.probability);
  return [section("Result", [found ? table(["environment", "U*", "U", "regret", "promise kept"], record.figures.map((f, k) => [record.environments[k], number(f.optimal), number(f.value), number(tiny(f.regret)), number(f.kept)]))
    : table(["environment", "largest possible promise in it alone"], record.figures.map((f, k) => [record.environments[k], missing(f.largest) ? "not computed" : number(f.largest)])),
    make("p", { class: "soft" }, found ? `U* is the best expected ${record.sense === "min" ? "cost" : "reward"} if the environment were known and the promise is kept; U is that of the plan; the regret is the difference.` :
      alone ? `The promised probability, ${number(record.probability)}, is impossible in one environment alone.` : `The promised probability, ${number(record.probability)}, is possible in each environment alone, but for no policy in all of them.`)])];
}

// What a newcomer will ask, by what is on the page.
const WORDS = {
  plan: [["environment", "One of the models that may be true. The agent does not know which; observations may rule some out."], ["promise", "To be in one of certain states at the end with at least a given probability, in every environment."],
    ["regret", "The loss of expected reward in an environment compared to the best policy for that environment alone (U*) that keeps the same promise. The search minimises the largest regret over environments."],
    ["mixture", "A random choice of one of several policies before the start. Every policy is a mixture, so the regret of the best mixture is a lower bound."],
    ["prices", "Lagrange multipliers of regrets (lambda, which sum to 1) and of promises (mu). For them one backward induction finds the best policy, whose Lagrangian value is a lower bound."],
    ["pairs", "The Pareto set of reward and promise probability of deterministic policies in one environment: a staircase. Often the better bound where the promise binds."],
    ["likelihood class", "Histories with the same ratio of likelihoods of the environments; a policy need not distinguish them."], ["decision", "An action chosen at a policy node: a time, a state, and the environments still possible."],
    ["bound", "A lower bound on the regret of every remaining policy. When it reaches the regret of the incumbent, the incumbent is proved optimal."]],
  lp: [["basis", "A set of variables, one for each row. The other variables are at a bound, and the rows determine the basic ones."], ["enters, leaves", "A pivot exchanges one variable of the basis. Each row has a variable too, its activity."],
    ["reduced cost", "The change of the objective when a nonbasic variable increases by 1 and the basic ones follow."], ["primal, dual", "The primal method stays feasible and improves the objective; the dual method stays dual feasible and repairs rows, one at a time."],
    ["ratio", "The step of the entering variable until the first row blocks it (primal), or until the first reduced cost reaches 0 (dual). A ratio of 0 is a degenerate pivot."],
    ["L, U, fill-in", "The basis matrix is factorised into two triangular ones. Their entries that are zero in the basis are fill-in; less is better."]],
  mip: [["relaxation", "The problem without the integrality conditions. Its optimum bounds the optimum of the problem."], ["cut", "A row that every integer point satisfies and the point of the relaxation violates: it tightens the relaxation."],
    ["node", "A subproblem with bounds of one column tightened; the children of a node cover all its integer points."], ["bound", "A bound on the objective of every remaining point. When it reaches the incumbent, the incumbent is proved optimal."]],
};
const glossary = () => make("details", {}, make("summary", {}, "Glossary"), make("dl", {}, ...[...WORDS[record.kind], ...record.kind === "mip" ? WORDS.lp.slice(0, 5) : []].flatMap(([w, m]) => [make("dt", {}, w), make("dd", {}, m)])));

function go(i) { state.step = Math.max(0, Math.min(LAST, i)); state.node = null; shownTime = null; show(); }

function play() {
  if (state.playing) { clearInterval(state.playing); state.playing = null; return; }
  if (state.step >= LAST) go(0);
  const stride = Math.max(1, Math.ceil(LAST / 300));
  state.playing = setInterval(() => { if (state.step >= LAST) play(); else go(state.step + stride); }, 400);
}

slider.addEventListener("input", () => go(Number(slider.value)));
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const range = event.target.type === "range" && event.target !== slider, keys = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };
  if (range) return;
  if (keys[event.key]) go(state.step + keys[event.key]);
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(LAST);
  else if (event.key === " " && event.target.tagName !== "BUTTON") play();
  else return;
  event.preventDefault();
});
const button = (mark, name, act) => make("button", { "aria-label": name, title: name, onclick: act }, mark);
document.getElementById("page").replaceChildren(make("h1", {}, record.title + (record.name && record.name !== record.title ? ` (${record.name})` : "")), record.about ? make("p", {}, record.about) : "", make("p", {}, resultWords()),
  thinnedWords() ? make("p", { class: "bad" }, thinnedWords()) : "", make("p", { class: "soft" }, "Step through with the slider, the buttons, or the arrow keys, Home, End and the space bar. Times are not recorded, so the same solve gives the same page."), body, glossary(),
  make("div", { class: "steps" }, make("div", {}, button("|\u25c0", "first step", () => go(0)), button("\u25c0", "one back", () => go(state.step - 1)), button("\u25b6", "one on", () => go(state.step + 1)),
    button("play", "play or pause", play), button("\u25b6|", "last step", () => go(LAST)), slider, now)));
window.addEventListener("resize", show);
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
show();
