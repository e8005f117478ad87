import Media

extension Setting {
    /// How the setting is written on the command line.
    var flag: String {
        switch self {
        case .overwriting: "pass --overwrite"
        case .range: "--range"
        case .videoCodec: "--video-codec"
        case .audioCodec: "--audio-codec"
        case .pixelFormat: "--pixel-format"
        case .quality: "--crf"
        case .bitRate: "--video-bitrate"
        case .hardware: "--hardware"
        case .hardwareDecoding: "--hardware-decoding"
        case .preset: "--preset"
        case .copiedVideo: "--video-codec copy"
        case .keptSound: "--audio keep"
        case .muting: "--audio mute"
        case .anyRate: "--fps any"
        case .frameSynthesis: "--frames"
        case .shutter: "--shutter"
        case .memory: "--memory"
        case .jobs: "--jobs"
        case .match(let path): "--match \(path)"
        case .length(let seconds): "--to \(seconds)"
        case .workspace: "--workspace"
        case .mediaFolder: "--media"
        case .container: "--format"
        case .frameRate: "--fps 30 or another one"
        }
    }
}
