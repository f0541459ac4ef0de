"""Opens pages of vouch watch in headless Chromium (Debian: chromium-driver), goes to five moments of each, wide and narrow, and takes pictures.

    python3 tests/look.py OUT-DIRECTORY PAGE.html ..

Fails where the script of a page fails, a page is wider than its window, or asks for anything else. The pictures are for people to look at.
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
GO = """const slider = document.querySelector('.steps input'); slider.value = Math.round(arguments[0] * slider.max);
slider.dispatchEvent(new Event('input')); return [slider.value, document.documentElement.scrollWidth - innerWidth,
performance.getEntriesByType('resource').length, document.querySelector('.steps output').textContent];"""


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


def look(here, page, width, out):
    faults = []
    ask("POST", here + "/url", {"url": "file://" + os.path.abspath(page)})
    for i, moment in enumerate(MOMENTS):
        step, over, loaded, words = ask("POST", here + "/execute/sync", {"script": GO, "args": [moment]})
        if over > 0:
            faults.append(f"step {step}: {over} pixels too wide")
        if loaded:
            faults.append(f"{loaded} things were loaded")
        height = ask("POST", here + "/execute/sync", {"script": "return document.documentElement.scrollHeight", "args": []})
        ask("POST", here + "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride",
                                                 "params": {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}})
        name = f"{os.path.splitext(os.path.basename(page))[0]}-{width}-{i}.png"
        with open(os.path.join(out, name), "wb") as picture:
            picture.write(base64.b64decode(ask("GET", here + "/screenshot")))
        ask("POST", here + "/goog/cdp/execute", {"cmd": "Emulation.clearDeviceMetricsOverride", "params": {}})
    faults += [entry["message"] for entry in ask("POST", here + "/se/log", {"type": "browser"}) if entry["level"] == "SEVERE"]
    print(f"{page} at {width}: {'; '.join(faults) if faults else 'five moments, no fault'} ({words})")
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
        for width, dark in ((1280, False), (400, True)):
            here = session(width, dark)
            for page in pages:
                bad += look(here, page, width, out)
            ask("DELETE", here)
    finally:
        driver.terminate()
        driver.wait()
    return bad


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1], sys.argv[2:]) else 0)
