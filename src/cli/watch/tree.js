// tree.js - the search tree on a canvas, as far as it has grown. Places are those of the finished tree, so that nothing moves.
const END_PAINT = { branched: "--c6", bound: "--c0", infeasible: "--bad", integer: "--good", limit: "--c4" };
// So that colours are not needed: in a square from -1 to 1, as in cli/tree.c.
const END_SHAPES = { branched: "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0z", bound: "M-1.1-.8h2.2l-1.1 2z", infeasible: "M-1-.5L-.5-1L0-.5L.5-1L1-.5L.5 0L1 .5L.5 1L0 .5L-.5 1L-1 .5L-.5 0z",
  integer: "M0-1.3L1.3 0L0 1.3L-1.3 0z", limit: "M-.9-.9h1.8v1.8h-1.8z" };
const END_NAMES = { branched: "branched", bound: "ended by its bound", infeasible: "no policy left", integer: "solved", limit: "left unfinished" };
if (record.kind === "mip") END_NAMES.infeasible = "no better point", END_NAMES.integer = "integer point";

// x by leaves in order, y by depth; without recursion, since trees can be deep.
function placeTree(tree) {
  let leaves = 0;
  tree.deepest = 0;
  for (const root of tree.nodes.filter(n => !n.parent)) {
    const stack = [[root, 0]];
    while (stack.length) {
      const top = stack[stack.length - 1], [node, next] = top;
      tree.deepest = Math.max(tree.deepest, node.depth);
      if (next < node.kids.length) { top[1]++; stack.push([node.kids[next], 0]); continue; }
      node.x = node.kids.length ? (node.kids[0].x + node.kids[node.kids.length - 1].x) / 2 : leaves++;
      stack.pop();
    }
  }
  tree.leaves = Math.max(1, leaves);
}

function drawTree(canvas, tree, step, chosen) {
  if (!tree.leaves) placeTree(tree);
  const width = canvas.parentNode.clientWidth - 1 || 600, dense = window.devicePixelRatio || 1, style = getComputedStyle(document.documentElement);
  const height = Math.min(560, Math.max(44, 30 * (tree.deepest + 1) + 14)), r = tree.leaves > 200 ? 2 : tree.leaves > 60 ? 3.5 : 6;
  canvas.width = width * dense, canvas.height = height * dense;
  canvas.style.height = height + "px";
  const c = canvas.getContext("2d");
  c.scale(dense, dense);
  const X = n => 12 + (tree.leaves === 1 ? 0.5 : n.x / (tree.leaves - 1)) * (width - 24), Y = n => 14 + n.depth * (height - 28) / Math.max(1, tree.deepest);
  canvas.place = { X, Y, tree, step };
  c.strokeStyle = style.getPropertyValue("--line");
  c.beginPath();
  for (const n of tree.nodes) if (n.step <= step && n.parent) c.moveTo(X(n.parent), Y(n.parent)), c.lineTo(X(n), Y(n));
  c.stroke();
  for (const n of tree.nodes) {
    if (n.step > step) continue;
    c.fillStyle = style.getPropertyValue(END_PAINT[ENDS[n.end]]);
    c.save();
    c.translate(X(n), Y(n));
    if (n.better) c.strokeStyle = style.getPropertyValue("--text"), c.strokeRect(-r - 2.5, -r - 2.5, 2 * r + 5, 2 * r + 5);
    c.scale(r, r);
    c.fill(new Path2D(END_SHAPES[ENDS[n.end]]));
    c.restore();
  }
  if (!chosen || chosen.step > step) return;
  c.strokeStyle = style.getPropertyValue("--mark");
  c.lineWidth = 2;
  c.beginPath();
  for (let n = chosen; n.parent; n = n.parent) c.moveTo(X(n.parent), Y(n.parent)), c.lineTo(X(n), Y(n));
  c.stroke();
  c.beginPath();
  c.arc(X(chosen), Y(chosen), r + 4, 0, 7);
  c.stroke();
}

// The node nearest to a click or touch.
function nodeAt(canvas, event) {
  const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top, { X, Y, tree, step } = canvas.place;
  let best = null, least = 900;
  for (const n of tree.nodes) {
    const off = (X(n) - x) ** 2 + (Y(n) - y) ** 2;
    if (n.step <= step && off < least) least = off, best = n;
  }
  return best;
}
