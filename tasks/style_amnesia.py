"""Entry file: `inspect eval tasks/style_amnesia.py --model cascade/embedded`."""

from functools import wraps

from inspect_ai import Task, task

from speechbench import tasks


@task
@wraps(tasks.style_amnesia, assigned=("__doc__",), updated=())
def style_amnesia(*args: object, **kwargs: object) -> Task:
    return tasks.style_amnesia(*args, **kwargs)  # type: ignore[arg-type]
