import Foundation

/// The desktop of this machine, which opens addresses and shows files.
package struct Desktop: Sendable {
    /// The program that opens things, and whether it can show a file in its folder (macOS).
    private let program: String
    private let revealsFiles: Bool

    /// - Parameters:
    ///   - program: the path of `xdg-open`, or of macOS's `open`.
    ///   - revealsFiles: whether the program knows the option `-R`.
    init(program: String, revealsFiles: Bool) {
        self.program = program
        self.revealsFiles = revealsFiles
    }

    /// The desktop on which this process runs; nil if there is none, as on a server.
    package static var present: Desktop? {
        #if os(macOS)
            let desktop = Desktop(program: "/usr/bin/open", revealsFiles: true)
        #else
            let environment = ProcessInfo.processInfo.environment
            guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else {
                return nil
            }
            let desktop = Desktop(program: "/usr/bin/xdg-open", revealsFiles: false)
        #endif
        return FileManager.default.isExecutableFile(atPath: desktop.program) ? desktop : nil
    }

    /// Opens an address in the default browser.
    ///
    /// Every user of a machine sees the arguments of its programs, and the address may contain a secret. So the program
    /// gets a page that only this user can read, which leads on to the address.
    ///
    /// - Returns: the page, which is removed with its owner: keep it until the browser has read it. Nil if it couldn't
    ///   be written.
    package func open(_ address: String) -> LeadingPage? {
        let page = LeadingPage(to: address)
        page.map { _ = run([$0.path]) }
        return page
    }

    /// Shows a file in its folder.
    ///
    /// - Returns: whether the program could be started.
    @discardableResult
    func show(_ file: String) -> Bool {
        run(revealsFiles ? ["-R", file] : [(file as NSString).deletingLastPathComponent])
    }

    @discardableResult
    private func run(_ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        return (try? process.run()) != nil
    }
}
