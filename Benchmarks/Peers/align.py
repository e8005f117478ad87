"""Finds the offset of a recording in another with audalign, and prints it. Usage: align.py REFERENCE RECORDING"""

import os
import sys

import audalign

result = audalign.align_files(*sys.argv[1:], recognizer=audalign.CorrelationRecognizer())
print(result[os.path.basename(sys.argv[2])])
