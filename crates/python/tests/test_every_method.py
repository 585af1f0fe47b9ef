"""Every method from two threads that take turns, as on a GPU: gpu.py on the CPU, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_every_method_takes_turns() -> None:
    program = Path(__file__).with_name("gpu.py")
    done = subprocess.run(
        [sys.executable, str(program), "--device", "cpu", "--limit", "600"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "as on the CPU, from two threads" in done.stdout
    assert "all is well" in done.stdout
