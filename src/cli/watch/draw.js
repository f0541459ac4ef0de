// draw.js - elements, numbers, bars and lines. Names from models come in as text nodes only, so nothing in them is ever markup.
const COLOURS = 7;
const colour = i => `var(--c${i % COLOURS})`;
// So that colours are not needed: how line i of a drawing is dashed, and its entry in the legend.
const dashes = i => ["none", "7 4", "2 3", "9 3 2 3"][i % 4];
const lineEntry = (name, i) => [name, colour(i), { dash: dashes(i) }];

function make(tag, fields, ...children) {
  const svg = ["svg", "g", "line", "path", "rect", "circle", "text", "polyline", "polygon", "title"].includes(tag);
  const out = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(fields || {})) {
    if (name.startsWith("on")) out.addEventListener(name.slice(2), value); else out.setAttribute(name, value);
  }
  out.append(...children.filter(c => c !== null && c !== undefined));
  return out;
}

// What is nearer to 0 is shown as 0.
const SHALLOW = 1e-12;
function number(x, digits = 6) {
  if (missing(x)) return "none";
  return Math.abs(x) < SHALLOW ? "0" : String(Number(Number(x).toPrecision(digits)));
}

// What only rounding keeps from 0 in a plan.
const tiny = x => !missing(x) && Math.abs(x) < 1e-9 ? 0 : x;

// Where a table is wider than its panel its letters become smaller.
function fitTables(inside) {
  for (const t of inside.querySelectorAll("table")) for (const how of ["tight", "tight tighter"]) if (t.parentNode.scrollWidth > t.parentNode.clientWidth) t.setAttribute("class", how);
}

// Width to draw for: text keeps its size on a narrow screen.
const narrow = () => window.innerWidth < 640;
const drawn = whole => narrow() ? 400 : whole ? 1200 : 600;

function legend(entries) {
  return make("ul", { class: "legend" }, ...entries.map(([name, paint, shape]) =>
    make("li", {}, shape && shape.dash ? make("svg", { viewBox: "0 0 28 12", class: "line" }, make("path", { d: "M0 6h28", stroke: paint, "stroke-width": 3, "stroke-dasharray": shape.dash })) :
      shape ? make("svg", { viewBox: "-1.4 -1.4 2.8 2.8" }, make("path", { d: shape, fill: paint })) : make("span", { style: `background:${paint}` }), name)));
}

// A column of words stands to the left with its heading, one of numbers to the right. Long words may be broken.
function table(head, rows, now) {
  const isWord = cell => typeof cell === "string" && cell !== "none" && /^\s*[^\s\d.+\u2212\u221e-]/.test(cell), words = head.map((_, j) => rows.some(row => isWord(row[j])));
  const kind = (j, cell) => words[j] ? { class: typeof cell === "string" && cell.length > 12 ? "words long" : "words" } : typeof cell === "string" && cell.length > 24 ? { class: "words long" } : {};
  return make("div", { class: "wide" }, make("table", {},
    make("tr", {}, ...head.map((h, j) => make("th", kind(j), h.replace(/[=_:,@]/g, "$&\u200b")))), // where a long name may be divided
    ...rows.map((row, i) => make("tr", i === now ? { class: "now" } : {}, ...row.map((cell, j) => make("td", kind(j, cell), String(cell)))))));
}

// At most so many letters; names that differ often do so at the end.
const shortened = (name, most) => name.length > most ? name.slice(0, most >> 1) + "\u2026" + name.slice((most >> 1) + 1 - most) : name;

// The name, shortened to a width in letters of that size in pixels.
const pen = document.createElement("canvas").getContext("2d");
function fitting(name, wide, size) {
  let words = name;
  pen.font = `${size}px system-ui, sans-serif`;
  for (let most = name.length - 1; most > 1 && pen.measureText(words).width > wide; most--) words = shortened(name, most);
  return words;
}

// Horizontal bars: groups [{name, values}], one bar a series, each series on its own scale.
function bars(groups, series, paints) {
  const high = 14, gap = 8, top = narrow() ? 6 : 2, left = narrow() ? 128 : 140, width = drawn() - left - 90, group = series.length * high + gap;
  const most = series.map((_, j) => Math.max(1e-12, ...groups.map(g => Math.abs(g.values[j] || 0))));
  const out = make("svg", { viewBox: `0 0 ${left + width + 90} ${top + groups.length * group + 4}`, role: "img", "aria-label": series.join(", ") });
  groups.forEach((g, i) => {
    out.append(make("text", { x: left - 8, y: top + i * group + group / 2, "text-anchor": "end" }, fitting(g.name, left - 10, narrow() ? 15 : 12)));
    g.values.forEach((v, j) => {
      const y = top + i * group + j * high;
      out.append(make("rect", { x: left, y, width: Math.max(0, (v || 0) / most[j] * width), height: high - 2, fill: paints ? paints[j] : colour(j) }),
        make("text", { x: left + 6 + Math.max(0, (v || 0) / most[j] * width), y: y + 11, class: "soft" }, missing(v) ? "not asked" : number(v, 4)));
    });
  });
  return out;
}

// Ticks of 1, 2 or 5 times a power of ten.
function ticks(from, to, most) {
  const span = to - from || 1, raw = span / most, base = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(f => f * base).find(s => span / s <= most) || base * 10, out = [];
  for (let x = Math.ceil(from / step - 1e-9) * step; x <= to + step * 1e-9; x += step) out.push(Math.abs(x) < step * 1e-9 ? 0 : x);
  return out;
}

// Powers of ten, and the least of them for 0.
function decades(from, to) {
  const out = [], stride = Math.max(1, Math.ceil((to - from) / 6));
  for (let p = Math.ceil(from - 1e-9); p <= to + 1e-9; p += stride) out.push(p);
  return out;
}

// Lines over steps: lines [{name, points: [[x, y]], stairs, dash, paint, bare}]; `at`: where a marker stands; logarithm: of y, 0 at the foot.
function chart(lines, { at, xname, yname, height = 220, xrange, yrange, whole, settle, logarithm } = {}) {
  if (logarithm) {
    const least = Math.min(...lines.flatMap(l => l.points.map(p => p[1])).filter(y => y > SHALLOW));
    const foot = Number.isFinite(least) ? Math.floor(Math.log10(least)) - 1 : -1;
    lines = lines.map(l => Object.assign({}, l, { points: l.points.map(([x, y]) => [x, missing(y) ? null : y > SHALLOW ? Math.log10(y) : foot]) }));
    logarithm = { foot, name: p => p <= foot ? "0" : p >= -2 && p <= 4 ? String(Number((10 ** p).toPrecision(1))) : `1e${p}` };
  }
  const W = drawn(whole), R = W - 16, T = 10, B = height - 44;
  const points = lines.flatMap(l => l.points.filter(p => !missing(p[1])));
  const out = make("svg", { viewBox: `0 0 ${W} ${height}`, role: "img", "aria-label": `${yname} over ${xname}` });
  if (!points.length) { out.append(make("text", { x: 66, y: 40, class: "soft" }, "nothing recorded yet")); return out; }
  let [x0, x1] = xrange || [Math.min(...points.map(p => p[0])), Math.max(...points.map(p => p[0]))];
  let y0 = points.reduce((m, p) => Math.min(m, p[1]), Infinity), y1 = points.reduce((m, p) => Math.max(m, p[1]), -Infinity);
  if (x1 === x0) x1 = x0 + 1;
  if (settle) { // early values can be far off: the scale is that of the later ones
    const late = lines.flatMap(l => l.points.slice(-Math.max(2, Math.ceil(l.points.length / 3))).map(p => p[1])).filter(y => !missing(y));
    if (late.length) {
      const low = Math.min(...late), high = Math.max(...late), room = 2 * (high - low) || Math.abs(high) || 1;
      if (y1 - y0 > 20 * (high - low)) {
        const off = y0 < low - room || y1 > high + room;
        y0 = Math.max(y0, low - room), y1 = Math.min(y1, high + room);
        if (off) xname += " (early values are off the scale)";
      }
    }
  }
  if (yrange) [y0, y1] = yrange;
  const pad = (y1 - y0) * 0.06 || Math.abs(y1) * 0.1 || 1;
  y0 -= pad; y1 += pad;
  const rungs = logarithm ? decades(y0, y1) : ticks(y0, y1, 5).filter(y => !yrange || (y >= yrange[0] && y <= yrange[1]));
  const step = rungs.length > 1 ? rungs[1] - rungs[0] : 1, digits = Math.max(5, Math.ceil(Math.log10(Math.max(Math.abs(y0), Math.abs(y1)) / step)) + 1); // as many as tell two apart
  const labels = rungs.map(y => logarithm ? logarithm.name(y) : number(y, digits)), L = Math.max(66, 14 + (narrow() ? 9.5 : 7.5) * Math.max(...labels.map(l => l.length)));
  const X = x => L + (x - x0) / (x1 - x0) * (R - L), Y = y => Math.max(T - 1, Math.min(B + 1, B - (y - y0) / (y1 - y0) * (B - T)));
  rungs.forEach((y, i) => out.append(make("line", { class: "rule", x1: L, x2: R, y1: Y(y), y2: Y(y) }), make("text", { x: L - 6, y: Y(y) + 4, "text-anchor": "end" }, labels[i])));
  for (const x of ticks(x0, x1, narrow() ? 4 : 8).filter(x => xname === "reward" || Number.isInteger(x))) out.append(make("text", { x: X(x), y: B + 18, "text-anchor": "middle" }, number(x, 6)));
  out.append(make("line", { class: "axis", x1: L, x2: R, y1: B, y2: B }),
    make("text", { x: (L + R) / 2, y: height - 6, "text-anchor": "middle", class: "soft" }, xname));
  lines.forEach((l, i) => {
    let d = "", before = null;
    for (const [x, y] of l.points) {
      if (missing(y)) { before = null; continue; }
      d += before === null ? `M${X(x).toFixed(1)} ${Y(y).toFixed(1)}` : (l.stairs ? `H${X(x).toFixed(1)}V${Y(y).toFixed(1)}` : `L${X(x).toFixed(1)} ${Y(y).toFixed(1)}`);
      before = y;
    }
    out.append(make("path", { d, fill: "none", stroke: l.paint || colour(i), "stroke-width": 2, "stroke-dasharray": l.dash || dashes(i) }));
    if (l.points.length < 40 && !l.bare) l.points.filter(p => !missing(p[1])).forEach(p => out.append(make("circle", { cx: X(p[0]), cy: Y(p[1]), r: 3, fill: l.paint || colour(i) })));
  });
  if (!missing(at) && at >= x0 && at <= x1) out.append(make("line", { x1: X(at), x2: X(at), y1: T, y2: B, stroke: "var(--mark)", "stroke-dasharray": "3 3" }));
  return out;
}
