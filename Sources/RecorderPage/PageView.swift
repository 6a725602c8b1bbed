extension Page {
    /// Draws the page, and handles the keys and the pointer.
    static let pageView = #"""
        const $ = id => document.getElementById(id), svg = $('graph'), scene = $('scene'), line = $('line');
        function make(name, attributes = {}, content) {
          const element = document.createElementNS(svg.namespaceURI, name);
          for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
          if (content !== undefined) element.textContent = content;
          return element;
        }
        function html(name, content, attributes = {}) {
          const element = Object.assign(document.createElement(name), attributes);
          if (content !== undefined) element.append(...[content].flat());
          return element;
        }
        const ruler = document.createElement('canvas').getContext('2d'), BOLD = '600 12.5px system-ui, sans-serif', MONO = '12px ui-monospace, monospace';
        const fits = { [BOLD]: new Map(), [MONO]: new Map() };
        /** The text as far as a node has room for it. */
        function fitted(text, font) {
          let short = fits[font].get(text);
          if (short !== undefined) return short;
          ruler.font = font;
          short = cut(text, 60);
          for (let length = short.length - 1; length > 1 && ruler.measureText(short).width > BOX.width - 18; length--) short = cut(text, length);
          fits[font].set(text, short);
          return short;
        }
        /** Changes only what is another: the browser looks again at whatever is written. */
        function put(element, key, value) { const known = element.known ||= {}; if (known[key] === value) return; known[key] = value; if (key === 'text') element.textContent = value; else if (key === 'style') element.style.cssText = value; else element.setAttribute(key, value); }
        const MARKS = 1000, cut = (text, limit) => text.length > limit ? text.slice(0, limit - 1) + '…' : text;
        const focused = nodes[data.focus], setOfFocused = focused && focused.stores.length ? focused.stores[focused.stores.length - 1] : events.length - 1;
        let step = setOfFocused, picked = data.focus, around = data.focus, steps = nodes.length > LIMIT ? 2 : 0, overlay = 'step', view = { x: 0, y: 0, scale: 1 }, drawn, answerShown = null;

        function draw() {
          const ids = surroundings(around, steps);
          drawn = layOut(ids);
          scene.replaceChildren();
          drawn.edgeElements = new Map(); drawn.nodeElements = new Map();
          drawn.setElements = new Map();
          const labels = placeLabels(drawn.items, drawn.links);
          drawn.links.forEach((link, index) => {
            const { edge, set } = link, { start, bend, end } = curveOf(link), group = make('g', { class: 'edge' });
            const path = `M${start.x} ${start.y}C${start.x + bend.x} ${start.y + bend.y},${end.x - bend.x} ${end.y + bend.y},${end.x} ${end.y}`;
            group.append(make('path', { d: path, 'marker-end': 'url(#tip)' }), make('title', {}, edge ? edgeLabel(edge.id) : `${set.by >= 0 ? edgeLabel(set.by) : label(set.from)} sets ${label(set.to)}`));
            const place = labels[index] || { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 - 4 + bend.y * .75 }, name = (edge || set).name;
            if (name !== 'Listen') group.append(make('text', { ...place, class: labels[index] ? '' : 'crowded' }, cut(name, 18)));
            scene.append(group);
            if (edge) drawn.edgeElements.set(edge.id, group); else drawn.setElements.set(set.id, group);
          });
          for (const item of drawn.items) {
            const group = make('g', { class: 'node', transform: `translate(${item.x} ${item.y})` });
            group.append(make('rect', { width: BOX.width, height: BOX.height }));
            if (item.edge) {
              group.classList.add('listener');
              group.append(make('text', { class: 'name', x: BOX.width / 2, y: 27, 'text-anchor': 'middle' }, fitted(item.edge.listener, BOLD)));
            } else {
              const node = nodes[item.id];
              if (!node.up.length) group.classList.add('source');
              group.append(make('text', { class: 'name', x: 10, y: 18 }, fitted(node.label.replace(/^'|'$/g, ''), BOLD)), make('text', { class: 'held', x: 10, y: 35 }), make('title'));
              Object.assign(group, { tabIndex: 0, onclick: () => pick(item.id), ondblclick: () => narrow(item.id, steps || 2) });
              group.setAttribute('role', 'button');
              group.onkeydown = event => { if (event.key === 'Enter' || event.key === ' ') { pick(item.id); event.preventDefault(); event.stopPropagation(); } };
              drawn.nodeElements.set(item.id, group);
            }
            scene.append(group);
          }
          const hidden = nodes.length - ids.length;
          $('notice').textContent = [hidden ? `${ids.length} of ${nodes.length} nodes: those around ${label(around)}` : '', drawn.hiddenListeners ? `${drawn.hiddenListeners} more listeners` : ''].filter(Boolean).join('; ');
          $('steps').value = steps;
          scene.setAttribute('class', drawn.links.length > 150 ? 'dense' : '');
          aim();
          update();
        }
        /** Shows all, or the middle of it, where all of it would be too small to read. */
        function aim() {
          fit();
          if (view.scale >= .4) return;
          const item = drawn.items.find(item => item.id === around), scale = .7;
          view = { scale, x: frame.width / 2 - scale * (item.x + BOX.width / 2), y: frame.height / 2 - scale * (item.y + BOX.height / 2) };
          move();
        }
        // Asked for once: whoever asks has all that has changed laid out first.
        let frame, lineSize;
        function measure() { frame = svg.getBoundingClientRect(); lineSize = { width: line.clientWidth, height: line.clientHeight }; }
        function fit() {
          const xs = drawn.items.map(item => item.x), ys = drawn.items.map(item => item.y);
          const width = Math.max(...xs) - Math.min(...xs) + BOX.width, height = Math.max(...ys) - Math.min(...ys) + BOX.height + 40;
          const scale = Math.max(.12, Math.min(1.25, (frame.width - 60) / width, (frame.height - 60) / height));
          view = { scale, x: frame.width / 2 - scale * (Math.min(...xs) + width / 2), y: frame.height / 2 - scale * (Math.min(...ys) + (height - 40) / 2) };
          move();
        }
        function move() { scene.setAttribute('transform', `translate(${view.x} ${view.y}) scale(${view.scale})`); }
        function zoom(factor, x, y) {
          const scale = Math.max(.05, Math.min(4, view.scale * factor));
          x = x === undefined ? frame.width / 2 : x - frame.left; y = y === undefined ? frame.height / 2 : y - frame.top;
          view = { scale, x: x - (x - view.x) * scale / view.scale, y: y - (y - view.y) * scale / view.scale };
          move();
        }

        /** Shows the state after the event `step`. */
        function update() {
          const event = events[step], lit = new Map();
          if (event && overlay === 'step') {
            for (let index = step; index >= 0 && index >= roots[step]; index--)
              if (roots[index] === roots[step] && events[index].edge >= 0) { const other = events[index]; if (!lit.has(other.edge)) lit.set(other.edge, other.isRefusal ? 'refused' : 'came'); }
            if (event.edge >= 0) lit.set(event.edge, event.isRefusal ? 'refused' : 'lit');
          }
          const most = overlay === 'hot' ? mostHeat : mostWasted;
          for (const [id, group] of drawn.edgeElements) {
            put(group, 'class', `edge ${isThereAt(edges[id], step) ? '' : 'gone'} ${lit.get(id) || ''}`);
            const share = overlay === 'step' ? 0 : (overlay === 'hot' ? edges[id].heat : edges[id].wasted) / most;
            put(group.firstChild, 'style', share > 0 ? `stroke: color-mix(in srgb, var(--hot) ${Math.round(25 + 75 * Math.sqrt(share))}%, var(--edge)); stroke-width: ${1.5 + 6 * Math.sqrt(share)}` : '');
          }
          const setOf = other => overlay === 'step' && other && isSet(other) ? setsByKey.get(setKey(other.edge, other.source, other.node)) : undefined;
          const litSet = setOf(event), cameSet = setOf(events[roots[step]]);
          for (const [id, group] of drawn.setElements) put(group, 'class', `edge sets ${litSet === sets[id] ? 'lit' : cameSet === sets[id] ? 'came' : ''}`);
          const refusedAt = event && event.isRefusal ? event.node : -1;
          for (const [id, group] of drawn.nodeElements) {
            const node = nodes[id], value = valueAt(node, step), changed = event && isStore(event) && event.node === id;
            put(group, 'class', `node ${value === -1 ? 'empty' : ''} ${node.up.length ? '' : 'source'} ${changed ? 'changed' : ''} ${refusedAt === id ? 'refused' : ''} ${picked === id ? 'picked' : ''}`);
            const [, , held, title] = group.children;
            put(held, 'text', fitted(heldText(value), MONO));
            put(title, 'text', `${node.label}: ${heldText(value)}`);
          }
          $('place').textContent = event ? `${step + 1} of ${events.length} · ${moment(event)} · ${threadName(event)}` : 'nothing on record';
          line.setAttribute('aria-valuemax', Math.max(0, events.length - 1)); line.setAttribute('aria-valuenow', step);
          line.setAttribute('aria-valuetext', event ? sentence(event) : '');
          tell(event);
          drawLine();
        }
        const jump = (event, words) => html('a', words || sentence(event), { tabIndex: 0, onclick: () => go(event.id), onkeydown: key => key.key === 'Enter' && go(event.id) });
        function tell(event) {
          $('event').replaceChildren(...(event ? [html('h2', `Step ${step + 1}`), html('p', sentence(event), { className: event.isRefusal ? 'stop' : '' }),
            html('p', event.cause >= 0 ? ['because ', jump(events[event.cause])] : [`${moment(event)}, on ${threadName(event)}`], { className: 'soft' })] : [html('p', 'Nothing is on record.')]));
          if (picked < 0) return;
          const node = nodes[picked], value = valueAt(node, step);
          $('selected').replaceChildren(html('h2', node.label), html('p', heldText(value), { className: 'value' }),
            html('p', `${node.type}${node.place ? ` · ${node.place}` : ''} · ${node.stores.length === 1 ? 'one change' : `${node.stores.length} changes`} on record`, { className: 'soft' }),
            html('p', [html('button', 'Why?', { id: 'why', title: 'w', onclick: () => ask('why') }), ' ', html('button', 'Why not?', { id: 'whyNot', title: 'x', onclick: () => ask('whyNot') }), ' ',
              html('button', 'Around it', { title: '2', onclick: () => narrow(picked, 2) })]));
          if (answerShown) ask(answerShown);
        }
        /** The items of a list that may be very long: its beginning and its end. */
        function listed(all, item) {
          const most = 60, begin = 20;
          if (all.length <= most) return all.map(item);
          return [...all.slice(0, begin).map(item), html('li', `… and ${all.length - most} more …`, { className: 'soft' }), ...all.slice(begin - most).map(item)];
        }
        function ask(question) {
          answerShown = question;
          const answer = $('answer');
          if (question === 'why') {
            const steps = why(picked, step);
            answer.replaceChildren(html('h2', `Why ${label(picked)} holds ${shown(valueAt(nodes[picked], step))}`), steps.length ? html('ol', listed(steps, event => html('li', jump(event)))) : html('p', mayBeLost(picked, step) ? 'The record of its last set may be gone.' : 'Nothing on record has set it by then.'));
          } else {
            const [head, ...lines] = nodes[picked].answer;
            answer.replaceChildren(html('h2', head ? `${label(picked)} ${head.text}` : 'The nodes around the first one alone have an answer here.'),
              ...(head && step < events.length - 1 ? [html('p', 'At the end of the record:', { className: 'soft' })] : []),
              ...lines.map(line => html('p', line.event ? jump(line.event, line.text) : line.text, { className: line.event && !isSet(line.event) ? 'stop' : '' })));
          }
        }

        function go(to) { step = Math.max(0, Math.min(events.length - 1, to)); update(); }
        function pick(id) { picked = id; answerShown = null; $('answer').replaceChildren(); update(); }
        function narrow(id, count) { around = picked = id; steps = count; draw(); }
        function next(places, forwards) {
          const count = countUpTo(places, forwards ? step : step - 1), place = forwards ? count : count - 1;
          if (place >= 0 && place < places.length) go(places[place]);
        }
        const placeOnLine = (index, width) => events.length < 2 ? width / 2 : 6 + index / (events.length - 1) * (width - 12);
        const rank = event => event.kind === KIND.mark ? 4 : event.isRefusal ? 3 : isSet(event) ? 2 : 1;
        let columns = [];
        /** What stands at each pixel of the time line: what is rarest there. */
        function columnsOf(width) {
          if (columns.length === width + 1) return columns;
          columns = new Uint8Array(width + 1);
          for (const event of events) { const x = Math.round(placeOnLine(event.id, width)); columns[x] = Math.max(columns[x], rank(event)); }
          return columns;
        }
        function drawLine() {
          const ratio = devicePixelRatio || 1, { width, height } = lineSize, pen = line.getContext('2d'), style = getComputedStyle(document.documentElement), ink = name => style.getPropertyValue(name).trim();
          line.width = width * ratio; line.height = height * ratio; pen.scale(ratio, ratio);
          pen.fillStyle = ink('--ground'); pen.fillRect(0, 0, width, height);
          const inks = ['', '--edge', '--lit', '--stop', '--mark'].map(name => name && ink(name));
          columnsOf(width).forEach((rank, x) => {
            if (!rank) return;
            pen.fillStyle = inks[rank];
            const tall = [0, 14, 26, 20, height][rank];
            pen.fillRect(x, rank === 4 ? 0 : height - 6 - tall, rank === 4 ? 2 : 1.4, tall);
          });
          if (picked >= 0) {
            pen.fillStyle = ink('--pick');
            for (const x of new Set(nodes[picked].stores.map(id => Math.round(placeOnLine(id, width))))) pen.fillRect(x - 1, height - 5, 3, 4);
          }
          if (events.length) { pen.fillStyle = ink('--ink'); pen.fillRect(placeOnLine(step, width) - 1, 0, 2.5, height); }
        }

        svg.addEventListener('wheel', event => { event.preventDefault(); zoom(Math.exp(-event.deltaY / 400), event.clientX, event.clientY); }, { passive: false });
        svg.addEventListener('pointerdown', event => {
          if (event.target.closest('.node')) return;
          const start = { x: event.clientX - view.x, y: event.clientY - view.y };
          svg.classList.add('dragged'); svg.setPointerCapture(event.pointerId);
          svg.onpointermove = event => { view.x = event.clientX - start.x; view.y = event.clientY - start.y; move(); };
          svg.onpointerup = () => { svg.onpointermove = svg.onpointerup = null; svg.classList.remove('dragged'); };
        });
        const seek = event => { const frame = line.getBoundingClientRect(); go(Math.round((event.clientX - frame.left - 6) / (frame.width - 12) * (events.length - 1))); };
        line.addEventListener('pointerdown', event => { line.setPointerCapture(event.pointerId); seek(event); line.onpointermove = seek; line.onpointerup = () => { line.onpointermove = line.onpointerup = null; }; });
        const actions = { first: () => go(0), last: () => go(events.length - 1), previous: () => go(step - 1), next: () => go(step + 1), previousSet: () => next(setSteps, false), nextSet: () => next(setSteps, true),
          previousChange: () => next(nodes[picked].stores, false), nextChange: () => next(nodes[picked].stores, true), fit, theme: () => {
            const root = document.documentElement, isDark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
            root.dataset.theme = isDark ? 'light' : 'dark'; drawLine(); }, help: () => $('keys').showModal() };
        for (const [id, action] of Object.entries(actions)) $(id).onclick = action;
        $('steps').onchange = event => { steps = +event.target.value; around = picked; draw(); };
        $('overlay').onchange = event => { overlay = event.target.value; update(); };
        for (const id of marks.slice(-MARKS)) $('marks').append(html('option', events[id].reason, { value: id }));
        $('marks').onchange = event => { if (event.target.value) go(+event.target.value); };
        function search(words) {
          words = words.toLowerCase();
          const found = words && (nodes.find(node => (node.name || node.label).toLowerCase() === words) || nodes.find(node => node.label.toLowerCase().includes(words)));
          if (!found) return false;
          if (!drawn.nodeElements.has(found.id)) narrow(found.id, steps || 2); else pick(found.id);
          return true;
        }
        $('search').onchange = event => search(event.target.value);
        $('search').onkeydown = event => { if (event.key === 'Escape') { svg.focus(); } event.stopPropagation(); if (event.key === 'Enter') search(event.target.value); };
        $('names').append(...nodes.filter(node => node.name).slice(0, 2000).map(node => html('option', '', { value: node.name })));
        $('keys').querySelector('pre').textContent = '← →        event\nShift ← →  set\np n        change of the node\nm M        mark\nHome End   beginning, end\nw x        why, why not\n/          find a node\nTab Enter  pick a node\n1 2 3 4 0  around it, all\n+ -        larger, smaller\no          edges: step, hot, wasted\nt          light or dark';
        const keys = { ArrowLeft: event => event.shiftKey ? actions.previousSet() : actions.previous(), ArrowRight: event => event.shiftKey ? actions.nextSet() : actions.next(), Home: actions.first, End: actions.last,
          p: actions.previousChange, n: actions.nextChange, m: () => next(marks, true), M: () => next(marks, false), w: () => ask('why'), x: () => ask('whyNot'), '/': () => $('search').focus(),
          1: () => narrow(picked, 1), 2: () => narrow(picked, 2), 3: () => narrow(picked, 3), 4: () => narrow(picked, 4), 0: () => narrow(picked, 0), '+': () => zoom(1.25), '-': () => zoom(.8), t: actions.theme, '?': actions.help,
          o: () => { const all = ['step', 'hot', 'wasted']; overlay = $('overlay').value = all[(all.indexOf(overlay) + 1) % 3]; update(); } };
        document.addEventListener('keydown', event => {
          if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName) || $('keys').open) return;
          const action = keys[event.key];
          if (action) { action(event); event.preventDefault(); }
        });
        addEventListener('resize', () => { measure(); aim(); drawLine(); });
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawLine);
        measure();
        draw();

        """#
}
