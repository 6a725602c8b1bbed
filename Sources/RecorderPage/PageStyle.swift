extension Page {
    static let style = #"""
        :root { color-scheme: light dark; --ground: #fbfaf7; --panel: #ffffff; --ink: #22262b; --soft: #6b7280; --line: #d8d5cd;
          --box: #ffffff; --edge: #a8adb5; --lit: #1769aa; --pale: #8db8d8; --stop: #c2410c; --good: #15803d; --mark: #7c3aed; --pick: #facc15; --hot: #dc2626; }
        @media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { --ground: #14171b; --panel: #1c2026; --ink: #e6e8eb; --soft: #98a1ad; --line: #343a43;
          --box: #232830; --edge: #5b6472; --lit: #5cb3f5; --pale: #2f6690; --stop: #fb923c; --good: #4ade80; --mark: #c4a5ff; --pick: #eab308; --hot: #f87171; } }
        :root[data-theme=dark] { color-scheme: dark; --ground: #14171b; --panel: #1c2026; --ink: #e6e8eb; --soft: #98a1ad; --line: #343a43;
          --box: #232830; --edge: #5b6472; --lit: #5cb3f5; --pale: #2f6690; --stop: #fb923c; --good: #4ade80; --mark: #c4a5ff; --pick: #eab308; --hot: #f87171; }
        :root[data-theme=light] { color-scheme: light; }
        * { box-sizing: border-box; }
        body { margin: 0; height: 100vh; display: grid; grid-template-rows: auto 1fr auto; font: 14px/1.45 system-ui, sans-serif; background: var(--ground); color: var(--ink); }
        header, footer { background: var(--panel); padding: 8px 14px; }
        header { display: flex; gap: 12px; align-items: center; flex-wrap: wrap; border-bottom: 1px solid var(--line); }
        h1 { font-size: 15px; margin: 0 auto 0 0; font-weight: 650; }
        label { color: var(--soft); }
        button, select, input { font: inherit; color: inherit; background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: 3px 9px; }
        button { cursor: pointer; } button:hover { border-color: var(--lit); }
        :focus-visible { outline: 2px solid var(--lit); outline-offset: 1px; }
        main { display: grid; grid-template-columns: 1fr minmax(280px, 26%); min-height: 0; }
        #picture { position: relative; min-width: 0; min-height: 0; overflow: hidden; }
        svg { width: 100%; height: 100%; display: block; cursor: grab; } svg.dragged { cursor: grabbing; }
        #notice { position: absolute; left: 14px; bottom: 6px; margin: 0; padding: 1px 6px; border-radius: 6px; background: var(--ground); color: var(--soft); } #notice:empty { display: none; }
        aside { background: var(--panel); border-left: 1px solid var(--line); overflow: auto; padding: 4px 16px 20px; }
        section { padding: 10px 0; border-bottom: 1px solid var(--line); } section:empty { display: none; } section:last-child { border: 0; }
        h2 { margin: 0 0 4px; font-size: 12px; font-weight: 600; color: var(--soft); letter-spacing: .02em; }
        p { margin: 3px 0; overflow-wrap: anywhere; } .soft { color: var(--soft); } .stop { color: var(--stop); } .value { font: 13px ui-monospace, monospace; }
        ol { margin: 4px 0; padding-left: 20px; } li { margin: 3px 0; overflow-wrap: anywhere; } li a, p a { color: var(--lit); text-decoration: none; cursor: pointer; } li a:hover, p a:hover { text-decoration: underline; }
        footer { border-top: 1px solid var(--line); } #controls { display: flex; gap: 6px; align-items: center; flex-wrap: wrap; margin-bottom: 6px; } #place { margin-left: auto; color: var(--soft); font-variant-numeric: tabular-nums; }
        canvas { width: 100%; height: 54px; display: block; cursor: pointer; border-radius: 6px; }
        .node rect { fill: var(--box); stroke: var(--edge); stroke-width: 1.2; rx: 7; } .node { cursor: pointer; outline: none; }
        .node .name { font-size: 12.5px; font-weight: 600; fill: var(--ink); } .node .held { font: 12px ui-monospace, monospace; fill: var(--soft); }
        .node.changed rect { stroke: var(--lit); stroke-width: 2.4; } .node.changed .held { fill: var(--lit); } .node.empty rect { stroke-dasharray: 4 3; } .node.source rect { stroke-width: 2; }
        .node.refused rect { stroke: var(--stop); stroke-width: 2.2; } .node.listener rect { rx: 16; stroke: var(--good); } .node.picked rect { fill: color-mix(in srgb, var(--pick) 22%, var(--box)); } .node:focus-visible rect { stroke: var(--lit); stroke-width: 3; }
        .edge path { fill: none; stroke: var(--edge); stroke-width: 1.4; } .edge text { font-size: 10.5px; fill: var(--soft); text-anchor: middle; paint-order: stroke; stroke: var(--ground); stroke-width: 4px; }
        .edge.sets path { stroke-dasharray: 2 4; } .edge text.crowded { display: none; } .edge.lit text.crowded, .edge.refused text.crowded, .edge:hover text.crowded { display: inline; }
        .dense .edge:not(.lit, .refused, .came) { opacity: .4; } .edge.gone { opacity: .55; } .edge.gone path { stroke-dasharray: 3 4; } .edge.came path { stroke: var(--pale); stroke-width: 2.4; } .edge.lit path { stroke: var(--lit); stroke-width: 3.4; } .edge.lit text { fill: var(--lit); }
        .edge.refused path { stroke: var(--stop); stroke-width: 3; stroke-dasharray: 6 4; } .edge.refused text { fill: var(--stop); font-weight: 600; } #tip path { fill: context-stroke; }
        dialog { border: 1px solid var(--line); border-radius: 10px; background: var(--panel); color: var(--ink); } dialog pre { font: 13px ui-monospace, monospace; }
        @media (max-width: 760px) { main { grid-template-columns: 1fr; grid-template-rows: 1fr 40%; } aside { border-left: 0; border-top: 1px solid var(--line); } }
        """#
}
