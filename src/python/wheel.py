"""Writes the wheel: a zip of the package with its metadata, made without pip, setuptools or a network.

    wheel.py STAGE OUT VERSION LICENSE     STAGE holds the folder vouch; prints the name of the file written

The library is reached by ctypes, so the wheel does for every Python 3 of the platform: tag py3-none-PLATFORM (PEP 427). The same input
gives the same bytes.
"""
from __future__ import annotations

import base64
import hashlib
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

Beside libvouch.so lie the shared libraries it was linked with: GMP (LGPL 3 or GPL 2) and zlib; OpenBLAS (BSD) is within or beside it.
"""
WHEEL = """Wheel-Version: 1.0
Generator: vouch
Root-Is-Purelib: false
Tag: {tag}
"""


def main() -> None:
    stage, out, version, license_file = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4])
    tag = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
    info = f"vouch-{version}.dist-info"
    files = {str(p.relative_to(stage)): p.read_bytes() for p in sorted(stage.glob("vouch/**/*")) if p.is_file() and "__pycache__" not in p.parts}
    files[f"{info}/METADATA"] = METADATA.format(version=version).encode()
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
