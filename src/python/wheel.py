"""Writes the wheel: a zip of the package with its metadata, made without pip, setuptools or a network.

    wheel.py STAGE OUT VERSION LICENSE     STAGE holds the folder vouch; prints the name of the file written

The library is reached by ctypes, so the wheel does for every Python 3 of the platform: tag py3-none-PLATFORM (PEP 427). The same input
gives the same bytes. PLATFORM is manylinux_2_X (PEP 600) with the newest symbol version of the GNU C library that a library within needs, if all
libraries that it does not contain are of those every such system has; else that of this system.
"""
from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

METADATA = """Metadata-Version: 2.1
Name: vouch
Version: {version}
Summary: Plans whose promises hold: commitment-constrained planning under unknown MDPs, with its own LP and MILP solvers
License: MIT
Requires-Python: >=3.8
Provides-Extra: arrays
Requires-Dist: numpy ; extra == 'arrays'

numpy is needed by what takes or gives arrays (from_arrays, sweep, lp, milp, Policy.graph); all the rest works without it.

Contains, in libvouch.so or beside it: GMP (LGPL 3 or GPL 2), zlib, OpenBLAS and LAPACKE (BSD){beside}.
"""
WHEEL = """Wheel-Version: 1.0
Generator: vouch
Root-Is-Purelib: false
Tag: {tag}
"""
# Of the libraries that PEP 600 lets a wheel expect, those of the C library and the compiler.
EXPECTED = re.compile(r"(lib(c|m|dl|rt|pthread|gcc_s)|ld-linux[a-z0-9_-]*)\.so\.\d+")


def platform(libraries: list[Path]) -> str:
    """The platform tag that these libraries need."""
    here = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    least, names = 17, {library.name for library in libraries}
    for library in libraries:
        told = subprocess.run(["objdump", "-p", str(library)], stdout=subprocess.PIPE, check=True, text=True).stdout
        strange = [name for name in re.findall(r"NEEDED +(\S+)", told) if name not in names and not EXPECTED.fullmatch(name)]
        if strange or "GLIBC_" not in told:
            print(f"wheel.py: {library.name} needs {', '.join(strange) or 'another C library'}: tag {here}", file=sys.stderr)
            return here
        least = max([least, 36 if "GLIBC_ABI_DT_RELR" in told else 17] + [int(minor) for minor in re.findall(r" GLIBC_2\.(\d+)", told)])
    return f"manylinux_2_{least}_{here.replace('linux_', '', 1)}"


def main() -> None:
    stage, out, version, license_file = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4])
    libraries = sorted(stage.glob("vouch/*.so*"))
    tag = "py3-none-" + platform(libraries)
    beside = ", ".join(library.name for library in libraries if library.name != "libvouch.so")
    info = f"vouch-{version}.dist-info"
    files = {str(p.relative_to(stage)): p.read_bytes() for p in sorted(stage.glob("vouch/**/*")) if p.is_file() and "__pycache__" not in p.parts}
    files[f"{info}/METADATA"] = METADATA.format(version=version, beside=f"; beside it {beside}" if beside else "").encode()
    files[f"{info}/WHEEL"] = WHEEL.format(tag=tag).encode()
    files[f"{info}/LICENSE"] = license_file.read_bytes()
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    path = out / f"vouch-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)  # of 1980, so that the time of making leaves no trace
            entry.external_attr = (0o755 if ".so" in name else 0o644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    print(path)


if __name__ == "__main__":
    main()
