import Foundation
import ReactCore

/// Writes one HTML file that shows a graph and its events, with its style, its script and the records inside.
///
/// The script uses no library, and the page loads nothing. A policy in the page has the browser refuse to.
struct Page {
    let html: String

    init(_ queries: RecordQueries, of node: AnyNode, title: String?) {
        let data = PageData(queries, of: node)
        let title = (title ?? "\(data.label) and what happened").caption(limit: 200).escapedForHTML
        html = """
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
            <label>around it <select id="steps" aria-label="How far around the node">
            <option value="0">all</option><option>1</option><option>2</option><option>3</option><option>4</option>
            </select></label>
            <label>edges <select id="overlay" aria-label="What edges are coloured by">
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
            <script type="application/json" id="data">\(data.json)</script>
            <script>
            \(Page.script)
            </script>
            </body>
            </html>

            """
    }
}

extension String {
    /// The text escaped for HTML, for elements and attributes.
    fileprivate var escapedForHTML: String {
        replacingScalars(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"])
    }
}

extension GraphRecorder {
    /// Returns one HTML file that needs no network. It shows the node's graph as a picture, which can be searched,
    /// zoomed and narrowed to one node's surroundings. A time line steps forwards and back, by event, by set and by
    /// mark, and shows values as they were. A click explains why a node was set, or why not. Safe from any thread.
    public func page(of node: AnyNode, title: String? = nil) -> String {
        Page(queries, of: node, title: title).html
    }
}
extension Recording {
    /// Returns one HTML file with the node's graph and its events. See `GraphRecorder.page(of:title:)`.
    /// Safe from any thread.
    public func page(of node: AnyNode, title: String? = nil) -> String {
        Page(queries, of: node, title: title).html
    }
}
