"""Entry file: `inspect eval tasks/constraint_amnesia.py --model cascade/embedded`."""

from functools import wraps

from inspect_ai import Task, task

from speechbench import tasks


# Without the package's `__module__`, else Inspect would look for a task of the package here.
@task
@wraps(tasks.constraint_amnesia, assigned=("__doc__", "__annotations__"))
def constraint_amnesia(*args: object, **kwargs: object) -> Task:
    return tasks.constraint_amnesia(*args, **kwargs)  # type: ignore[arg-type]
