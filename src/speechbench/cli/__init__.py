"""The command line: one file a sub-command, loaded when it is called."""

from speechbench.cli.main import main

__all__ = ["main"]
