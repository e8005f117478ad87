/// The guides of `Documentation/guides`, in Markdown. They are embedded in the program.
package enum Guides {
    /// Their texts by their names, such as `curves`, in the order of the names.
    package static let all = embeddedFiles.map { file in
        (name: String(file.path.dropLast(".md".count)), text: file.content)
    }
}
