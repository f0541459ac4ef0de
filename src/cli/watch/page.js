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
    if (record.method === "ccil" && !missing(record.value)) return `Planning again every few steps: maximum regret ${value} (the first plan, followed to the end: ${number(record.first)}). ${count(record.plans, "plan")} made, ` +
      `${record.reused} met again${record.missing ? `; ${record.missing} places were left without one` : ""}.`;
    const first = { optimal: `Proved optimal: maximum regret ${value}${apart() ? `, at least ${number(record.bound)} proved` : ""}.`, feasible: `A limit was reached: maximum regret ${value} found, at least ${number(record.bound)} proved.`,
      infeasible: "Proved: no policy keeps the promise in every environment.", limit: "A limit was reached before a policy was found.", numerical: "Numerical trouble: nothing is certified." }[record.status];
    return `${first} ${count(record.nodes, "node")}, ${count(record.iterations, record.method === "milp-ccl" ? "backward induction" : "iteration")}.`;
  }
  const first = { optimal: `Optimal: ${value}.`, infeasible: "Infeasible: no point keeps every row.", unbounded: "Unbounded: the objective improves without end.",
    limit: `A limit was reached${missing(record.value) ? "" : `: ${value} found`}${missing(record.bound) ? "" : `, bound ${number(record.bound, 9)}`}.` }[record.status] || record.status;
  return `${first} ${record.kind === "mip" ? `${count(record.nodes, "node")}, ` : ""}${count(record.iterations, "pivot")}; ${count(record.m, "row")}, ${count(record.n, "column")}` +
    `${record.presolved ? " (after presolve, as far as it was solved)" : ", solved without presolve"}.`;
}

function thinnedWords() {
  const nodes = record.steps.filter(s => s.node).length, pivots = record.steps.filter(s => s.pivot && s.pivot.e === "pivot").length;
  if (record.kind === "lp") return pivots < record.iterations ? `A long solve: ${pivots} of ${record.iterations} pivots are shown, spread over all of them.` : "";
  if (record.method === "ccil") return record.segments.filter(x => x).length < record.plans ? `A long evaluation: the first ${record.segments.length} of ${record.plans} plans are shown.` : "";
  if (nodes < record.nodes && (record.kind === "mip" || record.method === "milp-ccl")) return `A long search: the first ${nodes} of ${record.nodes} nodes are shown, and what was seen at some of them.`;
  const known = record.trees.flatMap(t => t.nodes.filter(n => t.detail.has(n.id) || n.unseen || ENDS[n.end] === "infeasible")).length;
  if (nodes > known) return `A long search: all ${nodes} nodes are shown, but what was seen at them of ${known} only, spread over the search.`;
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
    make("p", { class: "soft" }, "Across: starts and pivots; up: the objective of the problem worked on, which in phase 1 and after shifts of costs or bounds is not quite the one asked for.")];
  const same = runOf(step), thin = Math.ceil(same.length / 1500), total = step.tree.goal === "total";
  const scale = record.kind === "plan" ? x => regret(step.tree, x) : x => x;
  const what = record.kind !== "plan" ? "objective" : total ? "total regret (second stage: among the best plans)" : "maximum regret";
  const line = (name, f) => ({ name, stairs: true, points: same.filter((_, k) => k % thin === 0 || k === same.length - 1).map(([s, k]) => [k + 1, scale(f(s))]) });
  const last = same[same.length - 1][0], known = same.some(([s]) => !missing(s.best));
  const words = `Across: ${unitWords(step)}; up: ${what}. ${!known ? record.kind === "plan" ? "No plan was found that keeps the promise: the bound rises until no part is left." : "No point was found." : total || !apart() ? "The search ends where the two meet." : record.status === "optimal" ? `The search ends where the two are as near as was asked, here ${apart()}.` : `A limit ended the search ${apart()} before the two met.`}`;
  if (same.length === 1) return [make("p", {}, missing(last.best) || missing(last.bound) ? `One step was enough${missing(last.bound) ? "." : `: ${what} ${number(scale(last.bound))}.`}` :
    `One step was enough: the best plan known, ${number(scale(last.best))}, and the bound, ${number(scale(last.bound))}, ${Math.abs(scale(last.best) - scale(last.bound)) < 1e-6 * (1 + Math.abs(scale(last.best))) ? "met at once" : "are as far apart as that"} (${what}).`)];
  const names = record.kind === "plan" && step.tree.kind === "history" ? ["mixture", "bound proved"] : ["best known", "bound proved"];
  return [chart([line(names[0], s => s.best), line(names[1], s => s.bound)], { at: i + 1, xname: "steps", yname: what, whole: true, xrange: [same[0][1] + 1, same[same.length - 1][1] + 1], settle: step.tree.kind === "history" }),
    legend([...known ? [lineEntry(names[0], 0)] : [], lineEntry(names[1], 1)]), make("p", { class: "soft" }, words)];
}

function treePanel(step) {
  const canvas = make("canvas", { tabindex: 0, role: "img", "aria-label": "search tree; click a node to look at it" });
  canvas.addEventListener("click", event => { const n = nodeAt(canvas, event); if (n) { state.node = n; show(); } });
  const seen = new Set(step.tree.nodes.map(n => ENDS[n.end])), boxes = step.tree.kind === "boxes";
  const entries = Object.entries(END_NAMES).filter(([end]) => seen.has(end)).map(([end, name]) => [boxes && end === "integer" ? "one policy is best" : name, `var(${END_PAINT[end]})`, END_SHAPES[end]]);
  const of = step.tree.segment ? record.trees.filter(t => t.segment === step.tree.segment) : record.trees.filter(t => t.nodes.length);
  const why = step.tree.why ? make("p", { class: "soft" }, `Tree ${of.indexOf(step.tree) + 1} of ${of.length}: ${step.tree.why}; ${step.tree.goal === "total" ? "least total regret among the best plans" : "least maximum regret"}, ` +
    `${count(step.tree.places, "place")} to decide${missing(step.tree.classes) ? "" : `, ${count(step.tree.classes, "likelihood class").replace("classs", "classes")}`}.`) : null;
  const better = step.tree.nodes.some(n => n.better) ? "A frame stands where a better one was found. " : "";
  const bare = step.tree.nodes.some(n => ENDS[n.end] === "branched" && !n.kids.length) ? "Where nothing hangs below a branched node its parts were cut off at once, or the search ended before they were looked at. " : "";
  return [why, canvas, legend(entries), make("p", { class: "soft" }, `${better}${bare}Click or touch a node to look at it; the blue line is the way to it.`)];
}

const body = make("div", { class: "panels" }), slider = make("input", { type: "range", min: 0, max: Math.max(0, LAST), value: state.step, "aria-label": "step" }), now = make("output", {});

function section(title, content, wide) {
  return make("section", wide ? { class: "whole" } : {}, make("h2", {}, title), ...content);
}

// Panels of a step: [title, content or null, 0: across the page, 1: left, 2: right].
function planPanels(step, i, node) {
  const tree = step.tree, list = [];
  if (step.segment) list.push(["Plans made again and again", segmentsPanel(step, go), 0], [`Plan ${step.segment.id + 1}`, segmentPanel(step.segment), 1]);
  if (!tree) return list;
  list.unshift(["Bound and best known over time", timeline(i), 0]);
  if (tree.kind === "history") {
    const columns = tree.detail.get(1).columns, prices = step.mixed ? tree.detail.get(1).mixture : columns[step.columns - 1];
    list.push([step.mixed ? "The mixture" : "A policy enters", historyPanel(step), 1], ["Prices", prices && multiplierPanel(tree, null, prices), 2],
      ["Column generation", columnPanel(tree, null, step.columns), 1], step.mixed ? ["The model, and what the mixture does", graphPanel(tree, { id: 1 }, show), 2] : null);
    return list;
  }
  if (tree.kind === "descents") return [...list, ["Local search", descentPanel(step), 1]];
  list.push([tree.kind === "boxes" ? "Boxes of probabilities so far" : "The search tree so far", treePanel(step), 0], [tree.kind === "boxes" ? "This box" : "This node", nodePanel(tree, node), 1],
    ["The model, and what the mixture does", graphPanel(tree, node, show), 1], ["Prices and losses", multiplierPanel(tree, node), 2], ["Column generation", columnPanel(tree, node), 2],
    ["Pairs of reward and promise", pairsPanel(tree), 1], ["Levels", levelPanel(i), 2]);
  return list;
}

function programPanels(i) {
  if (record.kind === "lp") return [["The objective over time", timeline(i), 0], ...linearPanels(i, show)];
  return [["Bound and best known over time", timeline(i), 0], record.trees[0].nodes.some(n => n.step <= i) ? ["The search tree so far", treePanel(record.steps[i]), 0] : null, ...integerPanels(state.node ? state.node.step : i, show)];
}

function show() {
  const i = state.step, step = record.steps[i];
  slider.value = i;
  if (!step) { body.replaceChildren(section("Nothing to replay", [make("p", {}, record.kind === "plan" ? "It was settled before a search began: " + (record.status === "infeasible"
    ? "already one environment alone cannot keep the promise." : "no search was needed.") : "The problem was settled without a pivot.")], true), ...figures()); now.textContent = ""; return; }
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
  return [section("What came of it", [found ? table(["environment", "U*", "U", "regret", "promise kept"], record.figures.map((f, k) => [record.environments[k], number(f.optimal), number(f.value), number(tiny(f.regret)), number(f.kept)]))
    : table(["environment", "the most that can be promised in it alone"], record.figures.map((f, k) => [record.environments[k], missing(f.largest) ? "not asked" : number(f.largest)])),
    make("p", { class: "soft" }, found ? "U* is the most that is earned by who knows the environment and keeps the promise; U is what the plan earns; the regret is what is missing." :
      alone ? `${number(record.probability)} was promised: that is more than one environment can give.` : `${number(record.probability)} was promised: each environment can give it alone, but no one policy in all of them.`)])];
}

// What a newcomer will ask, by what is on the page.
const WORDS = {
  plan: [["environment", "One of the ways the world may be. Which one it is, nobody says; what happens tells."], ["promise", "To be in one of certain states at the end with at least a given probability, whatever the environment."],
    ["regret", "What a plan earns less in an environment than the best plan of who knows that environment (U*) and keeps the same promise. The largest over environments is made least."],
    ["mixture", "Tossing a coin before the start and following one of several policies. Mixtures can do all that policies can, and more, so the best mixture bounds the best policy from below."],
    ["prices", "Weights of regrets (lambda, which sum to 1) and of promises (mu). Under them one backward induction finds the best policy; what that one comes to is a bound for all."],
    ["pairs", "What policies without coins can have of reward and probability in one environment: a staircase. Often the better bound where the promise binds."],
    ["likelihood class", "Histories with the same ratio of likelihoods of the environments: they need not be told apart."], ["place to decide", "A time, a state, and which environments are still possible, as far as the policy is told."],
    ["bound", "No policy left can regret less. Where the bound reaches the best plan known, that plan is proved best."]],
  lp: [["basis", "As many variables as there are rows; the others stand at a bound, and the rows give the values of these."], ["enters, leaves", "A pivot changes one variable of the basis. Rows count as variables too: that of a row is what the row sums to."],
    ["reduced cost", "By how much the objective changes when a variable outside the basis moves by 1, the rows being kept."], ["primal, dual", "The primal method keeps every row within its bounds and improves the objective; the dual keeps reduced costs right and repairs rows, one at a time."],
    ["ratio", "How far the entering variable can move until the first row stops it (primal), or the first reduced cost reaches 0 (dual). 0 is a degenerate pivot: nothing moves."],
    ["L, U, fill-in", "The basis matrix is held as a product of two triangular ones. Entries that these have and it has not are fill-in; few is good."]],
  mip: [["relaxation", "The problem without the demand for whole numbers. Its optimum bounds that of the problem."], ["cut", "A row that every whole point keeps and the relaxation's point breaks: it makes the relaxation tighter."],
    ["node", "A part of the problem, made by a decision about one column; the parts of a node together hold all of it."], ["bound", "No point of what is left is better. Where the bound reaches the best point known, that is proved best."]],
};
const glossary = () => make("details", {}, make("summary", {}, "What the words mean"), make("dl", {}, ...[...WORDS[record.kind], ...record.kind === "mip" ? WORDS.lp.slice(0, 5) : []].flatMap(([w, m]) => [make("dt", {}, w), make("dd", {}, m)])));

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
  thinnedWords() ? make("p", { class: "bad" }, thinnedWords()) : "", make("p", { class: "soft" }, "Go through the steps with the slider, the buttons, or the arrow keys, Home, End and the space bar. Seconds are not recorded: the same solve makes the same page."), body, glossary(),
  make("div", { class: "steps" }, make("div", {}, button("|\u25c0", "first step", () => go(0)), button("\u25c0", "one back", () => go(state.step - 1)), button("\u25b6", "one on", () => go(state.step + 1)),
    button("play", "play or pause", play), button("\u25b6|", "last step", () => go(LAST)), slider, now)));
window.addEventListener("resize", show);
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
show();
