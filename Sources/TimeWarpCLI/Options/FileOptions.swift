import ArgumentParser
import Media
import TimeWarp

/// The options for how the file is written, and what that may take.
struct FileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The kind of file, whatever its name. A pipe (-o -) needs one: \
            \(Container.piped.map(\.rawValue).joined(separator: ", ")).
            """, valueName: "container"))
    var format: Container?

    @Option(
        help: ArgumentHelp(
            """
            Memory for decoded frames that are shown in another order (reverse, freeze), such as \
            512MiB; those that don't fit go to disk. (default: 256MiB)
            """, valueName: "size"))
    var memory: ByteCount?

    @Flag(
        help: """
            Drop the tags of the file and of its tracks: titles, dates, places, names of devices. \
            Languages stay.
            """)
    var stripMetadata = false

    @Flag(
        help: """
            Leave the index of an MP4 or MOV at its end. By default it comes first, so that the file can play while \
            it loads; that takes one more pass over the finished file.
            """)
    var indexAtEnd = false

    func apply(to settings: inout RenderSettings) {
        settings.output.container = format
        settings.output.keepsMetadata = !stripMetadata
        settings.output.putsIndexFirst = !indexAtEnd
        settings.resources.memoryBytes = memory?.bytes ?? settings.resources.memoryBytes
    }
}
