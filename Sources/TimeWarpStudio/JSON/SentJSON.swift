import Foundation

/// What the studio takes as the JSON body of a request.
protocol SentJSON: Decodable {
    /// - Throws: ``JobError`` or ``StudioError`` that says what is wrong.
    init(json: Data) throws
}
