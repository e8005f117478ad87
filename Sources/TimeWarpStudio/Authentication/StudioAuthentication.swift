import Foundation
import LocalServer

/// Authentication: accepts only requests that know the token, and no requests from other sites' pages.
///
/// The printed address contains the token. Opening it sets a cookie that scripts can't read and that other
/// sites' pages don't send. Programs send `Authorization: Bearer TOKEN` instead.
struct StudioAuthentication: Sendable {
    let token: String
    let router: Router

    /// Allows only the page's own files: no inline scripts, and nothing from other origins.
    private static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
        "media-src 'self' blob:", "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
        "frame-src 'self'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// The cookie's name contains the port, because browsers share cookies between the ports of a host.
    private static func cookieName(_ authority: String) -> String {
        "timewarp-" + (authority.split(separator: ":").last.map(String.init) ?? "")
    }

    @Sendable
    func respond(to request: Request) async throws -> Response {
        let authority = request.headers[.host] ?? ""
        guard isFromOwnPage(request) else {
            return guarded(try refusal("This request comes from another page."))
        }
        if request.method == .get, request.path == [""], let given = request.query["token"] {
            return guarded(try enter(given, authority, from: request))
        }
        guard isKnown(request, authority) else {
            return guarded(
                try refusal("Open the address that timewarp printed when it started."))
        }
        do {
            return guarded(try await router.respond(to: request))
        } catch let error as any ErrorWithResponse {
            return guarded(try error.response)
        } catch is RequestBody.BrokenOff {
            throw CancellationError()
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // A full disk or a damaged record, for instance: the message says what can be done.
            let answer = ErrorResponse(error: .init(message: "This didn't work: \(error)"))
            return guarded(try .json(answer, status: .internalServerError))
        }
    }

    /// Whether a request isn't sent by another site's page.
    private func isFromOwnPage(_ request: Request) -> Bool {
        guard request.isOfOwnOrigin else {
            return false
        }
        guard let site = request.headers[.secFetchSite] else {
            return true
        }
        let isNavigation = request.headers[.secFetchMode] == "navigate" && request.method == .get
        return site == "same-origin" || site == "none" || isNavigation
    }

    private static let leadingPage =
        #"<!doctype html><meta http-equiv="refresh" content="0; url=/">"#

    private func enter(
        _ given: String, _ authority: String, from request: Request
    ) throws -> Response {
        guard Secret.areEqual(given, token) else {
            return try refusal(
                "The token in this address is not this studio's. Use the newest one.")
        }
        let cookie =
            "\(Self.cookieName(authority))=\(token); Path=/; HttpOnly; SameSite=Strict"
        guard request.headers[.secFetchSite].map({ $0 == "none" }) ?? true else {
            // Another page has led here. Browsers wouldn't send the cookie to where a response leads on, but to where
            // a page of this site leads.
            return Response(
                status: .ok, headers: [.contentType: "text/html", .setCookie: cookie],
                body: .data(Data(Self.leadingPage.utf8)))
        }
        return Response(status: .seeOther, headers: [.location: "/", .setCookie: cookie])
    }

    private func isKnown(_ request: Request, _ authority: String) -> Bool {
        if let word = request.headers[.authorization], word.hasPrefix("Bearer ") {
            return Secret.areEqual(String(word.dropFirst(7)), token)
        }
        let cookie = request.cookie(Self.cookieName(authority))
        return cookie.map { Secret.areEqual($0, token) } ?? false
    }

    private func refusal(_ message: String) throws -> Response {
        try .json(ErrorResponse(error: .init(message: message)), status: .forbidden)
    }

    private func guarded(_ response: Response) -> Response {
        var response = response
        // A story's player and its graph have policies of their own.
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = Self.contentSecurityPolicy
        }
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.crossOriginResourcePolicy] = "same-origin"
        return response
    }
}
