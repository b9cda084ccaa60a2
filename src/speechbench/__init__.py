"""Does a spoken language model keep its style, and does it still follow instructions?"""

from importlib.metadata import version

from speechbench.errors import SpeechbenchError

__all__ = ["SpeechbenchError", "__version__"]

__version__ = version("speechbench")
