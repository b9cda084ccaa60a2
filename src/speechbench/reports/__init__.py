"""What finished runs say: read back from their logs, one at a time or side by side.

`logs` reads a run; `styles` and `constraints` give its numbers with intervals; `compare` sets two
runs side by side and `gate` holds a number against a limit. No model runs here.
"""
