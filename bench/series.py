"""What bench/growth.py and bench/exact.py share: lists of generated models ("series;size;model parameters of vouch generate;L", or "sketch K options of vouch
convert" in the place of the parameters: K environments of a sketch whose holes are pits), tables of records, plots against size."""
import os
import shutil
import subprocess
import sys
import tempfile


SKETCH = """mdp
const double slip = 0.1;
%sformula pit = %s;
module robot
    x : [0..5] init 0;
    y : [0..3] init 0;
    [east]  x<5 -> (pit?0:1-slip) : (x'=x+1) + (pit?1:slip) : true;
    [north] y<3 -> (pit?0:1-slip) : (y'=y+1) + (pit?1:slip) : true;
    [south] y>0 -> (pit?0:1-slip) : (y'=y-1) + (pit?1:slip) : true;
    [stay]  true -> true;
endmodule
rewards "there" x=5 : 1; endrewards
label "across" = x=5;
"""


def write_sketch(K, path):
    """A walk over a grid with pits that cannot be left, each hole being a coordinate of one of four values: K, a power of 4, members."""
    holes = (K.bit_length() - 1) // 2
    ranges = "".join("hole int %s%d in {%s};\n" % ("XY"[i % 2], i // 2, "0..3" if i % 2 else "1..4") for i in range(holes))
    pits = ["(x=X%d & y=%s)" % (i // 2, "Y%d" % (i // 2) if i + 1 < holes else "3") for i in range(0, holes, 2)]
    with open(path, "w") as f:
        f.write(SKETCH % (ranges, " | ".join(pits)))


def drawn(parameters, seeds):
    """The parameters, with --seed also those by the seeds that follow it: so many in all."""
    if "--seed" not in parameters:
        return [parameters]
    at = parameters.index("--seed") + 1
    return [parameters[:at] + [str(int(parameters[at]) + i)] + parameters[at + 1:] for i in range(seeds)]


def models(vouch, path, only="", seeds=1, wanted=lambda series: True):
    """Yields (series, size, L, model file) for each line of the list whose series has the word and is wanted, and for the seeds that
    follow its own; the file is gone with the next."""
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "m.json")
        for line in open(path):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            series, size, parameters, L = line.split(";")
            if only not in series or not wanted(series):
                continue
            parameters = parameters.split()
            if parameters[0] == "sketch":
                write_sketch(int(parameters[1]), model[:-5] + ".templ")
                subprocess.run([vouch, "convert", model[:-5] + ".templ", *parameters[2:], "-o", model, "-q"], check=True, stderr=subprocess.DEVNULL)
                yield series, size, L, model
                continue
            for line in drawn(parameters, seeds):
                subprocess.run([vouch, "generate", *line, "-o", model, "-q"], check=True)
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
