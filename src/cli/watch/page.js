// page.js - the page: what was found, the time line, the panels, and going through the steps.
const LAST = record.steps.length - 1;
const state = { step: Math.max(0, LAST), node: null, playing: null };

const count = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

function resultWords() {
  if (record.kind === "plan") {
    const first = { optimal: `Proved optimal: maximum regret ${number(record.value)}.`, feasible: `A limit was reached: maximum regret ${number(record.value)} found, at least ${number(record.bound)} proved.`,
      infeasible: "Proved: no policy keeps the promise in every environment.", limit: "A limit was reached before a policy was found.", numerical: "Numerical trouble: nothing is certified." }[record.status];
    return `${first} ${count(record.nodes, "node")}, ${count(record.iterations, "backward induction")}.`;
  }
  const value = missing(record.value) ? "" : `, objective ${number(record.value, 9)}`;
  return `${record.status}${value}. ${record.kind === "mip" ? `${count(record.nodes, "node")}, ` : ""}${count(record.iterations, "pivot")}; ${count(record.m, "row")}, ${count(record.n, "column")}` +
    `${record.presolved ? " (after presolve, as far as it was solved)" : ", solved without presolve"}.`;
}

function thinnedWords() {
  const nodes = record.steps.filter(s => s.node).length, pivots = record.steps.filter(s => s.pivot && s.pivot.e === "pivot").length;
  if (record.kind === "lp" && pivots < record.iterations) return `A long solve: ${pivots} of ${record.iterations} pivots are shown, spread over all of them.`;
  if (record.kind !== "lp" && nodes < record.nodes) return `A long search: the first ${nodes} of ${record.nodes} nodes are shown.`;
  return "";
}

function timeline(i) {
  const step = record.steps[i];
  if (record.kind === "lp") return [chart([{ name: "objective", points: record.steps.map((s, k) => [k, objective(s.pivot.obj)]) }], { at: i, xname: "pivots", yname: "objective", whole: true }),
    legend([["objective of the problem worked on (phase 1 and shifts included)", colour(0)]])];
  const same = record.steps.map((s, k) => [s, k]).filter(([s]) => s.tree.goal === step.tree.goal), thin = Math.ceil(same.length / 1500);
  const scale = record.kind === "plan" ? x => regret(step.tree, x) : x => x;
  const line = (name, f) => ({ name, stairs: true, points: same.filter((_, k) => k % thin === 0 || k === same.length - 1).map(([s, k]) => [k, scale(f(s))]) });
  const what = record.kind !== "plan" ? "objective" : step.tree.goal === "total" ? "total regret (second stage: among the best plans)" : "maximum regret";
  return [chart([line("best known", s => s.best), line("bound", s => s.bound)], { at: i, xname: "nodes, in the order in which they ended", yname: what, whole: true, xrange: [same[0][1], same[same.length - 1][1]] }),
    legend([["best known", colour(0)], ["bound proved", colour(1)]]), make("p", { class: "soft" }, `Up: ${what}. The search ends where the two meet.`)];
}

function treePanel(step) {
  const canvas = make("canvas", { tabindex: 0, role: "img", "aria-label": "search tree; click a node to look at it" });
  canvas.addEventListener("click", event => { const n = nodeAt(canvas, event); if (n) { state.node = n; show(); } });
  const entries = Object.entries(END_NAMES).map(([end, name]) => [name, `var(${END_PAINT[end]})`]);
  const why = step.tree.why ? make("p", { class: "soft" }, `Tree ${step.tree.number + 1} of ${record.trees.length}: ${step.tree.why}; ${step.tree.goal === "total" ? "least total regret" : "least maximum regret"}, ` +
    `${step.tree.places} places to decide, ${step.tree.classes} likelihood classes.`) : null;
  return [why, canvas, legend(entries), make("p", { class: "soft" }, "A square stands where a better one was found. Click or touch a node to look at it.")];
}

const body = make("div", { class: "panels" }), slider = make("input", { type: "range", min: 0, max: Math.max(0, LAST), value: state.step, "aria-label": "step" }), now = make("output", {});

function section(title, content, wide) {
  return make("section", wide ? { class: "whole" } : {}, make("h2", {}, title), ...content);
}

function show() {
  const i = state.step, step = record.steps[i];
  slider.value = i;
  if (!step) { body.replaceChildren(section("Nothing to replay", [make("p", {}, record.kind === "plan" ? "It was settled before a search began: " + (record.status === "infeasible"
    ? "already one environment alone cannot keep the promise." : "no search was needed.") : "The problem was settled without a pivot.")], true), ...figures()); now.textContent = ""; return; }
  if (state.node && state.node.step > i) state.node = null;
  const node = state.node || step.node, tree = step.tree, list = [["Bound and best known over time", timeline(i), "whole"]];
  if (record.kind === "lp") list[0][0] = "The objective over time", list.push(...linearPanels(i, show));
  else {
    list.push(["The search tree so far", treePanel(step), "whole"]);
    if (record.kind === "mip") list.push(...integerPanels(state.node ? state.node.step : i, show));
    else list.push(["This node", nodePanel(tree, node), ""], ["Prices and losses", multiplierPanel(tree, node), ""], ["The model, and what the mixture does", graphPanel(tree, node, show), ""],
      ["Column generation", columnPanel(tree, node), ""], ["Pairs of reward and promise", pairsPanel(tree), ""], ["Rungs", rungPanel(i), ""]);
  }
  const spot = window.scrollY;
  body.replaceChildren(...list.filter(e => e && e[1]).map(([t, c, w]) => section(t, c, w)), ...figures());
  const canvas = body.querySelector("canvas");
  if (canvas) drawTree(canvas, tree, i, node);
  window.scrollTo(0, spot);
  now.textContent = `step ${i + 1} of ${LAST + 1}` + (node && record.kind === "plan" ? `: ${decisionWords(tree, node)}` : node ? `: ${branchWords(node)}` : step.pivot && step.pivot.e === "pivot" ? `: ${variable(step.pivot.in)} enters` : "");
}

function figures() {
  if (record.kind !== "plan") return [];
  return [section("What came of it", [table(["environment", "U*", "U", "regret", "promise kept"], record.figures.map((f, k) =>
    [environment(k), number(f.optimal), number(f.value), number(f.regret), missing(f.kept) ? (missing(f.largest) ? "none" : `at most ${number(f.largest)}`) : number(f.kept)]))])];
}

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
document.getElementById("page").replaceChildren(make("h1", {}, record.title + (record.name && record.name !== record.title ? ` (${record.name})` : "")), make("p", {}, resultWords()),
  thinnedWords() ? make("p", { class: "bad" }, thinnedWords()) : "", make("p", { class: "soft" }, "Go through the steps with the slider, the buttons, or the arrow keys, Home, End and the space bar. Seconds are not recorded: the same solve makes the same page."), body,
  make("div", { class: "steps" }, make("div", {}, button("|\u25c0", "first step", () => go(0)), button("\u25c0", "one back", () => go(state.step - 1)), button("\u25b6", "one on", () => go(state.step + 1)),
    button("play", "play or pause", play), button("\u25b6|", "last step", () => go(LAST)), slider, now)));
window.addEventListener("resize", show);
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
show();
