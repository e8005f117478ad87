# brew install --HEAD Packaging/homebrew/timewarp.rb
class Timewarp < Formula
  desc "Time remapping for video and sound: speed ramps, slow motion, reverse, edits"
  homepage "https://github.com/timewarp/timewarp"
  license "GPL-3.0-or-later"
  head "https://github.com/timewarp/timewarp.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on xcode: ["16.3", :build]
  depends_on "cairo"
  depends_on "ffmpeg"
  depends_on "libmicrohttpd"
  depends_on "libxml2"

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--traits", "Program", "--product", "timewarp"
    ENV["PREFIX"] = prefix
    system "Scripts/install", ".build/release/timewarp"
  end

  test do
    system bin/"timewarp", "demo", testpath
    system bin/"timewarp", "verify", "sample.mp4", "warped.mp4"
  end
end
