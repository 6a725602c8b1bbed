import Foundation

/// Writes one HTML file that shows a graph and its events, with its style, its script and the records inside.
///
/// The script uses no library, and the page loads nothing. A policy in the page has the browser refuse to.
package enum Page {
    /// Returns the page. `title` has one line.
    package static func html(_ content: PageContent, title: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // In a script element, only text that looks like its end has a meaning. Characters that are written by their
        // numbers never do.
        let encoded = (try? encoder.encode(content)) ?? Data("{}".utf8)
        let data = encoded.escaped { $0 == UInt8(ascii: "<") ? "\\u003c" : nil }
        let names: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
        let title = Data(title.utf8).escaped { names[Unicode.Scalar($0)] }
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
            <title>\(title)</title>
            <style>
            \(Page.style)
            </style>
            </head>
            <body>
            <header>
            <h1>\(title)</h1>
            <input id="search" type="search" placeholder="Find a node ( / )" aria-label="Find a node" list="names">
            <datalist id="names"></datalist>
            <label>around it <select id="steps" aria-label="Steps around the node">
            <option value="0">all</option><option>1</option><option>2</option><option>3</option><option>4</option>
            </select></label>
            <label>edges <select id="overlay" aria-label="The colours of edges">
            <option value="step">of the step</option><option value="hot">hot</option><option value="wasted">wasted</option>
            </select></label>
            <button id="fit" title="Show all ( 0 )">fit</button>
            <button id="theme" title="Light or dark ( t )">◐</button>
            <button id="help" title="Keys ( ? )">?</button>
            </header>
            <main>
            <div id="picture"><svg id="graph" role="group" aria-label="The graph" tabindex="0"><defs>
            <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="10" markerHeight="10" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z"/></marker>
            </defs><g id="scene"></g></svg><p id="notice" role="status"></p></div>
            <aside>
            <section id="event" aria-live="polite"></section>
            <section id="selected"></section>
            <section id="answer" aria-live="polite"></section>
            </aside>
            </main>
            <footer>
            <div id="controls">
            <button id="first" title="To the beginning ( Home )">|◀</button>
            <button id="previousSet" title="Previous set ( Shift ← )">◀◀</button>
            <button id="previous" title="Previous event ( ← )">◀</button>
            <button id="next" title="Next event ( → )">▶</button>
            <button id="nextSet" title="Next set ( Shift → )">▶▶</button>
            <button id="last" title="To the end ( End )">▶|</button>
            <button id="previousChange" title="Previous change of the node ( p )">◁ change</button>
            <button id="nextChange" title="Next change of the node ( n )">change ▷</button>
            <select id="marks" aria-label="Go to a mark"><option value="">marks</option></select>
            <output id="place"></output>
            </div>
            <canvas id="line" tabindex="0" role="slider" aria-label="Time line" aria-valuemin="0"></canvas>
            </footer>
            <dialog id="keys"><pre></pre><form method="dialog"><button>close</button></form></dialog>
            <script type="application/json" id="data">\(data)</script>
            <script>
            \(Page.script)
            </script>
            </body>
            </html>

            """
    }
}

extension Data {
    /// Returns the text with an escape in the place of each ASCII character that has one.
    fileprivate func escaped(_ escape: (UInt8) -> String?) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for byte in self {
            if let other = escape(byte) { bytes += other.utf8 } else { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
