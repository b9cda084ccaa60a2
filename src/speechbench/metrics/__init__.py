"""The numbers: pure functions on arrays of verdicts, one idea a file.

What is measured: `if_rate`, `degradation`, `recall`, `composite` and `joint` (two styles),
`continuous` (the measure itself) and `crosstab` (two verdicts) follow Style Amnesia, `forgetting`
Speech-IFEval §3.2. How sure it is: `intervals`, `clusters` (openers that repeat), `permutation`
(what chance alone shows), `comparison` (two models). What it is read against: `chance`,
`denominators`, `correction` (a judge that errs).

Rates are percent, verdicts 1.0 and 0.0, NaN where there is none. Randomness comes in as a seeded
generator. Import the modules themselves: some need scipy, and pay for it only when called.
"""
