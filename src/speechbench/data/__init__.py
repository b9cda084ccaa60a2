"""Openers, Speech-IFEval items, and readers of the benchmarks' own files."""
