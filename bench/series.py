"""What bench/growth.py and bench/exact.py share: lists of generated models ("series;size;model parameters of vouch generate;L"), tables of records, plots
against size."""
import os
import shutil
import subprocess
import sys
import tempfile


def models(vouch, path):
    """Yields (series, size, L, model file) for each line of the list; the file is gone with the next."""
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "m.json")
        for line in open(path):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            series, size, parameters, L = line.split(";")
            subprocess.run([vouch, "generate", *parameters.split(), "-o", model], check=True)
            yield series, size, L, model


def write_csv(records, formats, path):
    """formats: {column: printf format}."""
    with open(path, "w") as f:
        f.write(",".join(formats) + "\n")
        for r in records:
            f.write(",".join(form % r[name] for name, form in formats.items()) + "\n")


def draw(records, panels, xlabel, path):
    """panels: [(column, label, least value shown)], side by side, one line a series."""
    if not shutil.which("gnuplot"):
        print("no plot: gnuplot is not installed (Debian package gnuplot-nox)", file=sys.stderr)
        return
    series = list(dict.fromkeys(r["series"] for r in records))
    with tempfile.TemporaryDirectory() as folder:
        for i, name in enumerate(series):
            with open(os.path.join(folder, "%d.dat" % i), "w") as f:
                for r in records:
                    if r["series"] == name:
                        f.write(" ".join("%g" % v for v in [r["size"]] + [max(r[column], least) for column, _, least in panels]) + "\n")
        lines = ["set terminal svg size %d,420 background '#ffffff'" % (500 * len(panels)), "set output '%s'" % path, "set multiplot layout 1,%d" % len(panels),
                 "set logscale y", "set grid", "set xlabel '%s'" % xlabel, "set key top left"]
        for column, (_, label, _) in enumerate(panels, 2):
            lines.append("set ylabel '%s'" % label)
            lines.append("plot " + ", ".join("'%s/%d.dat' using 1:%d with linespoints title '%s'" % (folder, i, column, n) for i, n in enumerate(series)))
        subprocess.run(["gnuplot"], input="\n".join(lines), text=True, check=True)
