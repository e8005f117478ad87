import Foundation
import FuzzTargets
import Media

/// The target comes from the environment variable FUZZ_TARGET, because libFuzzer parses all arguments itself.
private let target = ProcessInfo.processInfo.environment["FUZZ_TARGET"].flatMap { name in
    FuzzTarget.all.first { $0.name == name }
}

/// libFuzzer calls this once, first.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer, _ words: UnsafeMutableRawPointer) -> Int32
{
    LibAVLog.capture()
    guard target == nil else {
        return 0
    }
    let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
    FileHandle.standardError.write(Data("FUZZ_TARGET must be one of \(names)\n".utf8))
    exit(64)
}

/// libFuzzer calls this for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    target?.run(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}
