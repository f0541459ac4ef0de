"""The pages for users are true: see cli_readme.sh.  judge_pages.py VOUCH FOLDER PAGE.."""
import os, re, shutil, subprocess, sys

vouch, work, pages = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]
EXAMPLES = "bench/examples"
README_WORDS = 950  # a door, not the house

os.makedirs(work + "/bin")
os.symlink(vouch, work + "/bin/vouch")
os.symlink(vouch + "-check", work + "/bin/vouch-check")
environment = dict(os.environ, PATH=work + "/bin:" + os.environ["PATH"])


def tell(name, good, why=""):
    print(f"ok {name}" if good else f"not ok {name}: {why}")


def plain(line):
    return re.sub(r"\d+\.\d+ s\b", "S s", line.rstrip()[4:] if line.startswith("    ") else line.rstrip())


def missing(wanted, said):
    """The first line wanted that is not there, in their order, '...' standing for any lines; None: all are there."""
    at, anywhere = 0, False
    for line in wanted:
        if line == "...":
            anywhere = True
            continue
        while anywhere and at < len(said) and said[at] != line:
            at += 1
        if at >= len(said) or said[at] != line:
            return line
        at, anywhere = at + 1, False
    return None


def run(name, command, wanted, place):
    if command.startswith("seq ") and not shutil.which("parallel"):
        return
    done = subprocess.run(command, shell=True, cwd=place, env=environment, capture_output=True, text=True)
    lack = missing(wanted, [x.rstrip() if x.startswith(" ") else plain(x) for x in map(plain_seconds, done.stdout.splitlines())]) if wanted else None
    proved = done.returncode == 2 and re.search(r"infeasible \(proved\)|NOT kept", done.stdout)  # an answer, too
    tell(name, (not done.returncode or proved) and lack is None,
         f"{command}: exit {done.returncode}, missing: {lack}, said: {(done.stderr or done.stdout)[:400]}")


def plain_seconds(line):
    return re.sub(r"\d+\.\d+ s\b", "S s", line)


def commands(lines):
    for i, line in enumerate(lines):
        if not line.startswith("    $ "):
            continue
        wanted = []
        for follow in lines[i + 1:]:
            if follow.startswith("    $ ") or (follow.strip() and not follow.startswith("    ")):
                break
            wanted.append(plain_seconds(follow[4:].rstrip()))
        while wanted and not wanted[-1]:
            wanted.pop()
        yield line[6:], wanted


def files_shown(name, text):
    there = {open(os.path.join(EXAMPLES, f)).read() for f in os.listdir(EXAMPLES) if os.path.isfile(os.path.join(EXAMPLES, f))}
    for i, (kind, body) in enumerate(re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S)):
        whole = kind in ("prism", "python", "c") or body.startswith(('{ "vouch"', '"fetch": P'))
        if whole:
            tell(f"{name}_file_{i}", body in there, f"no file of {EXAMPLES} is what stands there: {body[:60]!r}")


def links(name, page, text):
    for link in re.findall(r"\]\(([^)#]*)[^)]*\)", text):
        if link and not link.startswith("http"):
            tell(f"{name}_link", os.path.exists(os.path.join(os.path.dirname(page), link)), f"there is no {link}")


def same_picture(a, b):
    """Do they say the same? Lines may have another corner, where a search finds another policy that is as good."""
    return len(words(a)) > 5 and words(a) == words(b)


def words(picture):
    return re.findall(r">([^<>]+)</text>", open(picture).read())


for page in pages:
    text = open(page).read()
    name = os.path.basename(page)[:-3].lower()
    place = os.path.join(work, name)
    shutil.copytree(EXAMPLES, place)
    for count, (command, wanted) in enumerate(commands(text.splitlines())):
        run(f"{name}_{count + 1}", command, wanted, place)
    files_shown(name, text)
    links(name, page, text)
    if name == "readme":
        tell("readme_words", len(text.split()) <= README_WORDS, f"{len(text.split())} words; the guide is the place for more")
    for picture in {"readme": ("ferry.svg", "frontier.svg"), "error": ("within.svg",)}.get(name, ()):
        tell(f"picture_{picture}", same_picture("src/guide/" + picture, os.path.join(place, picture)), "the command draws another one; copy it")
