// Users of the library need one import only: they also work with curves, time maps and files.
@_exported import Alignment
@_exported import Media
@_exported import TimeMaps
