import Foundation
import PackagePlugin

/// Compiles the web pages' files into the target in whose folders they lie, as `embeddedFiles`; and the guides, which lie with the
/// documentation, into the target Guides.
///
/// They become string literals, which compile in a second; a Swift array of the same bytes takes minutes.
@main
struct EmbedPages: BuildToolPlugin {
    private static let endings = ["css", "html", "js", "md"]
    private static let script = #"""
        output=$1 quotes=$2
        cd "$3"
        shift 3
        {
            echo 'let embeddedFiles: [(path: String, content: String)] = ['
            for file; do
                printf '(####"%s"####, ####%s\n' "$file" "$quotes"
                cat -- "$file"
                printf '\n%s####),\n' "$quotes"
            done
            echo ']'
        } >"$output"
        """#

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let guides = context.package.directoryURL.appending(path: "Documentation/guides")
        let folder = target.name == "Guides" ? guides : target.directoryURL
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
            let name = ($0 as NSString).lastPathComponent
            return Self.endings.contains((name as NSString).pathExtension)
                && !name.hasSuffix(".test.js") && !name.hasPrefix(".")
        }.sorted()
        return [
            .buildCommand(
                displayName: "Embedding the pages", executable: URL(filePath: "/bin/sh"),
                arguments: [
                    "-euc", Self.script, "sh", output.path, "\"\"\"", folder.path,
                ] + files,
                inputFiles: files.map { folder.appending(path: $0) }, outputFiles: [output])
        ]
    }
}
