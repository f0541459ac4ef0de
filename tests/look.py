"""Opens pages of vouch watch in headless Chromium (Debian: chromium-driver), goes to five moments of each, wide and narrow, and takes pictures. A page without
steps, as notebooks show, is opened just so. A name that ends in 1280 or 400 is that of a picture made for this width alone.

    python3 tests/look.py OUT-DIRECTORY PAGE.html ..

Fails where the script of a page fails, a page or a table is wider than its window, texts of one drawing lie over each other or outside of it, keys or touches do not do what they
should, or anything else is asked for. The pictures, light and dark, are for people to look at.
"""
import base64
import json
import os
import subprocess
import sys
import time
import urllib.request

PORT = 9517
MOMENTS = [0, 0.25, 0.5, 0.75, 1]
GO = """const slider = document.querySelector('.steps input');
if (slider) { slider.value = Math.round(arguments[0] * slider.max); slider.dispatchEvent(new Event('input')); }
return [slider ? slider.value : 0, document.documentElement.scrollWidth - arguments[1], performance.getEntriesByType('resource').length,
slider ? document.querySelector('.steps output').textContent : 'no steps'];"""
# Pairs of texts of one drawing of which more than a quarter of the smaller is covered.
COVERED = """const out = [];
for (const svg of document.querySelectorAll('svg')) {
  const boxes = [...svg.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()]);
  boxes.forEach(([a, p], i) => boxes.slice(i + 1).forEach(([b, q]) => {
    const w = Math.min(p.right, q.right) - Math.max(p.left, q.left), h = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
    if (w > 0 && h > 0 && w * h > 0.25 * Math.min(p.width * p.height, q.width * q.height)) out.push(a + ' / ' + b);
  }));
}
return out.slice(0, 3);"""
# Texts of which more than a tenth lies under something drawn later: a box, the head of an arrow, a mark.
HIDDEN = """const out = [], shape = 'rect, polygon, circle, path.full';
for (const svg of document.querySelectorAll('svg')) {
  const drawn = [...svg.querySelectorAll('text, ' + shape)], boxes = drawn.map(e => e.getBoundingClientRect());
  drawn.forEach((t, i) => {
    if (t.tagName !== 'text') return;
    const p = boxes[i];
    for (let j = i + 1; j < drawn.length; j++) {
      const q = boxes[j], style = getComputedStyle(drawn[j]);
      if (drawn[j].tagName === 'text' || style.fill === 'none' || Number(style.fillOpacity) < 0.5) continue;
      const w = Math.min(p.right, q.right) - Math.max(p.left, q.left), h = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
      if (w > 0 && h > 0 && w * h > 0.1 * p.width * p.height) { out.push(t.textContent); break; }
    }
  });
}
return out.slice(0, 3);"""
# Texts that begin or end outside their drawing.
OUTSIDE = """const out = [];
for (const svg of document.querySelectorAll('svg')) {
  const frame = svg.getBoundingClientRect();
  for (const t of svg.querySelectorAll('text')) {
    const box = t.getBoundingClientRect();
    if (box.width > 0 && (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)) out.push(t.textContent);
  }
}
return out.slice(0, 3);"""
# Tables of which a part is cut off, however narrow the window.
CUT = """return [...document.querySelectorAll('.wide')].filter(w => w.scrollWidth > w.clientWidth)
  .map(w => `${w.scrollWidth - w.clientWidth} pixels of the table ${w.querySelector('tr').textContent}`).slice(0, 3);"""
# Keys go through the steps, touching a node chooses it, and text stays readable: at least 9 pixels.
USE = """const slider = document.querySelector('.steps input'), at = () => Number(slider.value), out = [];
const key = name => document.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
const wants = (what, value) => { if (at() !== value) out.push(what + ' leads to ' + at() + ', not ' + value); };
if (slider) {
const last = Number(slider.max);
key('Home'); wants('Home', 0);
key('ArrowRight'); wants('ArrowRight', Math.min(1, last));
key('ArrowLeft'); wants('ArrowLeft', 0);
key('End'); wants('End', last);
[...document.querySelectorAll('.steps button')][0].click(); wants('the first button', 0);
[...document.querySelectorAll('.steps button')][4].click(); wants('the last button', last);
}
const canvas = document.querySelector('canvas');
if (canvas && typeof state !== 'undefined') {
  const n = canvas.place.tree.nodes[0], box = canvas.getBoundingClientRect();
  canvas.dispatchEvent(new MouseEvent('click', { clientX: box.left + canvas.place.X(n), clientY: box.top + canvas.place.Y(n), bubbles: true }));
  if (state.node !== n) out.push('touching a node does not choose it');
}
for (const t of document.querySelectorAll('svg text')) {
  let svg = t.ownerSVGElement;
  while (svg.ownerSVGElement) svg = svg.ownerSVGElement;
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width, size = parseFloat(getComputedStyle(t).fontSize) * scale;
  if (size < 9) { out.push('text of ' + size.toFixed(1) + ' pixels: ' + t.textContent); break; }
}
return out;"""


def ask(method, path, body=None):
    request = urllib.request.Request(f"http://127.0.0.1:{PORT}{path}", method=method, data=None if body is None else json.dumps(body).encode(),
                                     headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["value"]


def session(width, dark):
    options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"] + (["--force-dark-mode"] if dark else [])}
    if width < 500:
        options["mobileEmulation"] = {"deviceMetrics": {"width": width, "height": 900, "pixelRatio": 1, "touch": True}}
    else:
        options["args"].append(f"--window-size={width},1400")
    wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
    return "/session/" + ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]


def window(here, width, height):
    ask("POST", here + "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride",
                                             "params": {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}})


def look(here, page, width, out, light):
    def script(text, *args):
        return ask("POST", here + "/execute/sync", {"script": text, "args": list(args)})

    faults = []
    window(here, width, 900)
    ask("POST", here + "/url", {"url": "file://" + os.path.abspath(page)})
    for i, moment in enumerate(MOMENTS):
        if i and words == "no steps":
            break
        step, over, loaded, words = script(GO, moment, width)
        if over > 0:
            faults.append(f"step {step}: {over} pixels too wide")
        if loaded:
            faults.append(f"{loaded} things were loaded")
        covered = script(COVERED)
        if covered:
            faults.append(f"step {step}: texts over each other: {', '.join(covered)}")
        hidden = script(HIDDEN)
        if hidden:
            faults.append(f"step {step}: texts under something: {', '.join(hidden)}")
        outside = script(OUTSIDE)
        if outside:
            faults.append(f"step {step}: texts outside their drawing: {', '.join(outside)}")
        cut = script(CUT)
        if cut:
            faults.append(f"step {step}: cut off: {', '.join(cut)}")
        window(here, width, script("return document.documentElement.scrollHeight"))
        name = f"{os.path.splitext(os.path.basename(page))[0]}-{width}-{light}-{i}.png"
        with open(os.path.join(out, name), "wb") as picture:
            picture.write(base64.b64decode(ask("GET", here + "/screenshot")))
        window(here, width, 900)
    faults += script(USE)
    faults += [entry["message"] for entry in ask("POST", here + "/se/log", {"type": "browser"}) if entry["level"] == "SEVERE"]
    print(f"{page} at {width}, {light}: {'; '.join(faults) if faults else 'no fault'} ({words})")
    return len(faults)


def main(out, pages):
    os.makedirs(out, exist_ok=True)
    driver = subprocess.Popen(["chromedriver", f"--port={PORT}"], stdout=subprocess.DEVNULL)
    bad = 0
    try:
        for _ in range(50):
            try:
                ask("GET", "/status")
                break
            except OSError:
                time.sleep(0.1)
        for width, dark in ((1280, False), (400, True), (1280, True), (400, False)):
            if (width, dark) in ((1280, True), (400, False)) and not os.environ.get("LOOK_ALL"):
                continue
            here = session(width, dark)
            for page in pages:
                if page.endswith(f"_{400 if width == 1280 else 1280}.html"):
                    continue
                bad += look(here, page, width, out, "dark" if dark else "light")
            ask("DELETE", here)
    finally:
        driver.terminate()
        driver.wait()
    return bad


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1], sys.argv[2:]) else 0)
