"""The leaderboard: a folder of logs in, one self-contained page out.

`record` is the schema of what is published of a run, `build` finds and reads the logs, `page`
arranges records for the template. Logs are all that it reads; no model runs here.
"""
