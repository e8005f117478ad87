"""The barcode that the sample clip's frames carry: a number of 24 bits in the bottom tenth.

It has two rows of 22 cells. The outer cells are white and black for reference. Between them are a
checksum of 16 bits and the number, inverted in a fixed pattern. The library has the same code as
FrameBarcode, and reader.js reads it in the page.
"""

COLUMNS, ROWS, BITS = 22, 2, 40
WHITENING = 0x5AC3961B4E
BLACK, WHITE = 16, 235


def checksum(number):
    remainder = 0xFFFF
    for bit in range(23, -1, -1):
        turns = (remainder >> 15 == 1) != (number >> bit & 1 == 1)
        remainder = remainder << 1 & 0xFFFF
        if turns:
            remainder ^= 0x1021
    return remainder


def cells(number):
    """The cells row by row; True is white."""
    word = (checksum(number) << 24 | number) ^ WHITENING
    bits = [word >> (BITS - 1 - place) & 1 == 1 for place in range(BITS)]
    half = BITS // ROWS
    return [True, *bits[:half], False, False, *bits[half:], True]


def row_edge(row, height):
    return (height * (18 + row) + 10) // 20


def strip(number, width, height):
    """The grey pixels of the barcode's strip, from row_edge(0, height) to the bottom."""
    levels = [WHITE if cell else BLACK for cell in cells(number)]
    data = bytearray()
    for row in range(ROWS):
        line = bytearray()
        for column in range(COLUMNS):
            start, end = column * width // COLUMNS, (column + 1) * width // COLUMNS
            line += bytes([levels[row * COLUMNS + column]]) * (end - start)
        data += line * (row_edge(row + 1, height) - row_edge(row, height))
    return bytes(data)


def number_in(levels):
    """The number that a frame's barcode cells encode, or None."""
    middle = (min(levels) + max(levels)) / 2
    word = 0
    for place, level in enumerate(levels):
        if place in (0, 21, 22, 43):
            continue
        word = word << 1 | (level > middle)
    word ^= WHITENING
    number = word & 0xFFFFFF
    return number if checksum(number) == word >> 24 else None
