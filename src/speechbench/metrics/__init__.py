"""The numbers: pure functions on arrays of verdicts, one idea a file.

`if_rate` and `degradation` follow Style Amnesia §3.3, `forgetting` Speech-IFEval §3.2; `intervals`
and `denominators` say how sure a number is and what it is over. Randomness comes in as a seeded
generator. Import the modules themselves: some need scipy, and pay for it only when called.
"""
