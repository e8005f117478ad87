"""The version of the program that this goes with."""

__version__ = "0.9.0"
