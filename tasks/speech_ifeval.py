"""Entry file: `inspect eval tasks/speech_ifeval.py --model cascade/embedded`."""

from functools import wraps

from inspect_ai import Task, task

from speechbench import tasks


# Without the package's `__module__`, else Inspect would look for a task of the package here.
@task
@wraps(tasks.speech_ifeval, assigned=("__doc__", "__annotations__"))
def speech_ifeval(*args: object, **kwargs: object) -> Task:
    return tasks.speech_ifeval(*args, **kwargs)  # type: ignore[arg-type]
