// One import is enough: curves, maps and files belong to what the library is used for.
@_exported import Alignment
@_exported import Media
@_exported import TimeMaps
