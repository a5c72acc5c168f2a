"""What all processes of one run of the tests share: a folder."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

_VARIABLE = "SHARED_BY_TESTS"


def shared_folder() -> Path:
    """Return the folder. Who asks first makes it and deletes it in the end; processes started from there have the same.

    pytest asks before it starts its workers.
    """
    if _VARIABLE not in os.environ:
        os.environ[_VARIABLE] = tempfile.mkdtemp(prefix="bourse-tests-")  # short, for sockets inside
        atexit.register(shutil.rmtree, os.environ[_VARIABLE], ignore_errors=True)
    return Path(os.environ[_VARIABLE])
