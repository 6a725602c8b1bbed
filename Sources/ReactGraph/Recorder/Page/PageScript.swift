extension Page {
    static let script = pageModel + pageLayout + pageView

    /// What is on record, and what follows from it: the state at any step is looked up, so that it is the same both ways.
    private static let pageModel = #"""
        'use strict';
        const data = JSON.parse(document.getElementById('data').textContent);
        const KIND = { set: 1, cleaned: 2, stored: 3, emptied: 4, heard: 5, stopped: 6, arrived: 7, fired: 8, left: 9, queued: 10, resumed: 11,
          replayed: 12, linked: 13, cut: 14, scheduled: 15, late: 16, dropped: 17, batchBegan: 18, batchEnded: 19, computed: 21, mark: 22 };
        const text = index => index < 0 ? null : data.texts[index];
        const nodes = data.nodes.map(([label, name, type, now, place], id) => ({ id, label: text(label), name: text(name), type: text(type), now, place: text(place), up: [], down: [], stores: [] }));
        const edges = data.edges.map(([name, from, to, place, listener, isThere], id) => ({ id, name: text(name), from, to, place: text(place), listener: text(listener), isThere, changes: [], calls: [], wasted: 0 }));
        const events = data.events.map(([kind, node, edge, source, old, now, cause, thread, time, reason], id) => ({ id, kind, node, edge, source, old, now, cause, thread, time, reason: text(reason), effects: [] }));
        for (const edge of edges) { nodes[edge.from].down.push(edge); if (edge.to >= 0) nodes[edge.to].up.push(edge); }
        const isStore = event => event.kind >= KIND.set && event.kind <= KIND.emptied || event.kind === KIND.fired;
        const isSet = event => event.kind === KIND.set || event.kind === KIND.cleaned;
        const isRefusal = event => event.kind === KIND.stopped || event.kind === KIND.queued || event.kind === KIND.left || event.kind === KIND.cut || event.kind === KIND.dropped
          || event.kind === KIND.arrived && !event.effects.some(effect => effect.kind === KIND.fired);
        for (const event of events) {
          if (event.cause >= 0) events[event.cause].effects.push(event);
          if (isStore(event) && event.node >= 0) nodes[event.node].stores.push(event.id);
          if (event.edge < 0) continue;
          if (event.kind === KIND.linked || event.kind === KIND.cut) edges[event.edge].changes.push(event.id);
          if (event.kind >= KIND.stored && event.kind <= KIND.arrived) {
            edges[event.edge].calls.push(event.id);
            if (event.kind === KIND.stored && event.old >= 0 && event.old === event.now) edges[event.edge].wasted++;
          }
        }
        const meanTimes = new Map(data.times);
        for (const edge of edges) edge.heat = edge.calls.length * (meanTimes.get(edge.id) || 1);

        /** How many of the sorted `places` are not after `step`. */
        function countUpTo(places, step) {
          let low = 0, high = places.length;
          while (low < high) { const middle = low + high >> 1; if (places[middle] <= step) low = middle + 1; else high = middle; }
          return low;
        }
        /** What a node held after the event `step`; -1 before the first. */
        function valueAt(node, step) {
          const count = countUpTo(node.stores, step);
          if (count === 0) return node.stores.length ? events[node.stores[0]].old : node.now;
          return count < node.stores.length ? events[node.stores[count]].old : events[node.stores[count - 1]].now;
        }
        function isThereAt(edge, step) {
          const count = countUpTo(edge.changes, step);
          if (count > 0) return events[edge.changes[count - 1]].kind === KIND.linked;
          return edge.changes.length ? events[edge.changes[0]].kind === KIND.cut : !!edge.isThere;
        }
        function way(event) { const way = [event]; while (way[0].cause >= 0) way.unshift(events[way[0].cause]); return way; }
        /** The set that an event goes back to, or what else began it. */
        function rootOf(event) { while (event.cause >= 0 && !isSet(event)) event = events[event.cause]; return event; }
        const roots = new Int32Array(events.length);
        for (const event of events) roots[event.id] = isSet(event) || event.cause < 0 ? event.id : roots[event.cause];
        const sets = events.filter(event => isSet(event)).map(event => event.id);
        const marks = events.filter(event => event.kind === KIND.mark).map(event => event.id);

        const label = node => node >= 0 ? nodes[node].label : 'a node';
        function edgeLabel(id) {
          if (id < 0) return 'an edge';
          const edge = edges[id], place = edge.place ? ` (${edge.place})` : '';
          if (edge.listener) return `${edge.name} of ${edge.listener}${place}`;
          return edge.to >= 0 && nodes[edge.to].name ? `${edge.name} ${label(edge.to)}${place}` : `${edge.name} of ${label(edge.from)}${place}`;
        }
        const shown = index => index < 0 ? 'nothing' : text(index);
        function sentence(event) {
          const was = event.old >= 0 ? ` (was ${text(event.old)})` : '', node = label(event.node), edge = edgeLabel(event.edge);
          switch (event.kind) {
            case KIND.set: return `${node} was set to ${shown(event.now)}${was}${event.edge >= 0 ? ` by ${edge}` : ''}`;
            case KIND.cleaned: return `${node} was emptied${was}`;
            case KIND.stored: return `${edge} gave ${node} ${shown(event.now)}${was}`;
            case KIND.emptied: return `${edge} emptied ${node}${was}`;
            case KIND.heard: return `${edge} heard ${shown(event.now)} of ${node}`;
            case KIND.fired: return `${node} fired: ${shown(event.now)}${was}`;
            case KIND.left: return `${node} was left to another thread`;
            case KIND.resumed: return `a value that waited for ${node} has its turn`;
            case KIND.replayed: return `${edge} was given the value of ${label(event.source)}, as it was linked`;
            case KIND.linked: return `${edge} was linked to ${label(event.source)}`;
            case KIND.cut: return `${edge} was cut from ${label(event.source)}`;
            case KIND.scheduled: return `${edge} holds a value until later`;
            case KIND.late: return `${edge} sends a value that it held`;
            case KIND.dropped: return `${edge} dropped a value that it held`;
            case KIND.batchBegan: return 'a batch began';
            case KIND.batchEnded: return 'a batch ended';
            case KIND.computed: return `${node} was computed anew`;
            case KIND.mark: return `mark: ${event.reason}`;
            default: return event.reason || edge;
          }
        }
        const threadName = event => text(data.threads[event.thread]);
        const moment = event => event.time < 1e6 ? `${(event.time / 1000).toFixed(3)} ms` : `${(event.time / 1e6).toFixed(3)} s`;

        /** All that leads to a node, with itself. */
        function upstreamOf(id) {
          const found = new Set([id]), waiting = [id];
          while (waiting.length) for (const edge of nodes[waiting.pop()].up) if (!found.has(edge.from)) { found.add(edge.from); waiting.push(edge.from); }
          return found;
        }
        /** Why a node holds what it holds at a step: the way of the last store. */
        function why(id, step) {
          const count = countUpTo(nodes[id].stores, step);
          return count === 0 ? [] : way(events[nodes[id].stores[count - 1]]).filter(event => event.kind !== KIND.arrived);
        }
        /** The sets upstream of a node since it was last set, the newest first, each with where it stopped. */
        function whyNot(id, step) {
          const count = countUpTo(nodes[id].stores, step), since = count === 0 ? -1 : nodes[id].stores[count - 1], upstream = upstreamOf(id), answers = [];
          for (let index = countUpTo(sets, step) - 1; index >= 0 && sets[index] > since && answers.length < 5; index--) {
            const set = events[sets[index]];
            if (!upstream.has(set.node) || set.node === id) continue;
            const stops = [], waiting = [set], came = new Set();
            let arrives = false;
            while (waiting.length) {
              const event = waiting.pop();
              if (isStore(event)) { came.add(event.node); arrives ||= event.node === id; }
              const target = event.node >= 0 ? event.node : event.edge >= 0 ? edges[event.edge].to : -1;
              if (isRefusal(event) && upstream.has(target)) stops.push(event);
              for (const effect of event.effects) if (!isSet(effect)) waiting.push(effect);
            }
            if (arrives) continue;
            if (!stops.length) for (const edge of edges) {
              const change = countUpTo(edge.changes, set.id);
              if (change > 0 && came.has(edge.from) && upstream.has(edge.to) && events[edge.changes[change - 1]].kind === KIND.cut) stops.push(events[edge.changes[change - 1]]);
            }
            answers.push({ set, stops: stops.sort((a, b) => a.id - b.id) });
          }
          return answers;
        }

        """#

    /// Where the nodes stand: in layers along the edges, in an order that crosses few.
    private static let pageLayout = #"""
        const BOX = { width: 150, height: 44, across: 96, along: 20 }, LIMIT = 300;
        /** The nodes that are shown: those at most so many edges away from `around`, nearest first; or all. */
        function surroundings(around, steps) {
          if (!steps) return nodes.length <= LIMIT ? nodes.map(node => node.id) : surroundings(around, 2);
          const found = new Map([[around, 0]]), waiting = [around];
          for (const id of waiting) {
            if (found.get(id) === steps) continue;
            for (const edge of [...nodes[id].up, ...nodes[id].down]) {
              const other = edge.from === id ? edge.to : edge.from;
              if (other < 0 || found.has(other)) continue;
              if (found.size >= LIMIT) return [...found.keys()];
              found.set(other, found.get(id) + 1);
              waiting.push(other);
            }
          }
          return [...found.keys()];
        }
        function layOut(ids) {
          const items = new Map(ids.map(id => [id, { key: id, id, ins: [], outs: [], layer: 0 }])), links = [];
          for (const id of ids) for (const edge of nodes[id].down) {
            let target = items.get(edge.to);
            if (edge.listener) { const key = `listener ${edge.id}`; target = { key, edge, ins: [], outs: [], layer: 0 }; items.set(key, target); }
            if (target) links.push({ edge, from: items.get(id), to: target });
          }
          // An edge that closes a ring does not count.
          const state = new Map();
          for (const start of items.values()) {
            if (state.has(start)) continue;
            const stack = [[start, (outs(links).get(start) || [])[Symbol.iterator]()]];
            state.set(start, 1);
            while (stack.length) {
              const [item, rest] = stack[stack.length - 1], step = rest.next();
              if (step.done) { state.set(item, 2); stack.pop(); continue; }
              const link = step.value;
              if (state.get(link.to) === 1) { link.closesRing = true; continue; }
              if (!state.has(link.to)) { state.set(link.to, 1); stack.push([link.to, (outs(links).get(link.to) || [])[Symbol.iterator]()]); }
            }
          }
          for (const link of links) if (!link.closesRing) { link.from.outs.push(link.to); link.to.ins.push(link.from); }
          const left = new Map([...items.values()].map(item => [item, item.ins.length])), ready = [...items.values()].filter(item => !item.ins.length);
          for (const item of ready) for (const next of item.outs) {
            next.layer = Math.max(next.layer, item.layer + 1);
            left.set(next, left.get(next) - 1);
            if (left.get(next) === 0) ready.push(next);
          }
          // What leads somewhere stands as near to that as it can.
          for (const item of [...ready].reverse()) if (!item.ins.length && item.outs.length) item.layer = Math.min(...item.outs.map(next => next.layer)) - 1;
          const layers = [];
          for (const item of ready) (layers[item.layer] ||= []).push(item);
          const place = () => layers.forEach(layer => layer.forEach((item, index) => item.order = index - (layer.length - 1) / 2));
          const middle = (item, others) => others.length ? others.reduce((sum, other) => sum + other.order, 0) / others.length : item.order;
          place();
          for (let sweep = 0; sweep < 8; sweep++) {
            const side = sweep % 2 ? 'outs' : 'ins';
            for (const layer of sweep % 2 ? [...layers].reverse() : layers) {
              const wanted = new Map(layer.map(item => [item, middle(item, item[side])]));
              layer.sort((a, b) => wanted.get(a) - wanted.get(b));
              layer.forEach((item, index) => item.order = index - (layer.length - 1) / 2);
            }
          }
          // Then each as high as its neighbours, as far as the others in its layer leave room.
          for (let sweep = 0; sweep < 6; sweep++) for (const layer of sweep % 2 ? [...layers].reverse() : layers) {
            layer.forEach(item => item.wish = middle(item, [...item.ins, ...item.outs]));
            let last = -Infinity;
            const down = layer.map(item => last = Math.max(item.wish, last + 1));
            last = Infinity;
            const up = layer.map(() => 0);
            for (let index = layer.length - 1; index >= 0; index--) up[index] = last = Math.min(layer[index].wish, last - 1);
            layer.forEach((item, index) => item.order = (down[index] + up[index]) / 2);
          }
          for (const item of items.values()) { item.x = item.layer * (BOX.width + BOX.across); item.y = item.order * (BOX.height + BOX.along); }
          return { items: [...items.values()], links };
        }
        function outs(links) {
          if (!links.byStart) { links.byStart = new Map(); for (const link of links) { if (!links.byStart.has(link.from)) links.byStart.set(link.from, []); links.byStart.get(link.from).push(link); } }
          return links.byStart;
        }

        """#

    /// What is seen, and what the keys and the pointer do.
    private static let pageView = #"""
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
        const cut = (text, limit) => text.length > limit ? text.slice(0, limit - 1) + '…' : text;
        let step = events.length - 1, picked = data.focus, around = data.focus, steps = nodes.length > LIMIT ? 2 : 0, overlay = 'step', view = { x: 0, y: 0, scale: 1 }, drawn, answerShown = null;

        function draw() {
          const ids = surroundings(around, steps);
          drawn = layOut(ids);
          scene.replaceChildren();
          drawn.edgeElements = new Map(); drawn.nodeElements = new Map();
          const labels = make('g');
          for (const { edge, from, to, closesRing } of drawn.links) {
            const group = make('g', { class: 'edge' }), x1 = from.x + BOX.width, y1 = from.y + BOX.height / 2, x2 = to.x, y2 = to.y + BOX.height / 2;
            const back = closesRing || x2 < x1, bend = back ? 60 : (x2 - x1) / 2, lift = back ? BOX.height + 14 : 0;
            const path = back ? `M${x1} ${y1}C${x1 + bend} ${y1 + lift},${x2 - bend} ${y2 + lift},${x2} ${y2}` : `M${x1} ${y1}C${x1 + bend} ${y1},${x2 - bend} ${y2},${x2} ${y2}`;
            group.append(make('path', { d: path, 'marker-end': 'url(#tip)' }), make('title', {}, edgeLabel(edge.id)));
            if (edge.name !== 'Listen') group.append(make('text', { x: (x1 + x2) / 2, y: (y1 + y2) / 2 - 5 + (back ? lift * .75 + 12 : 0) }, cut(edge.name, 18)));
            scene.append(group);
            drawn.edgeElements.set(edge.id, group);
          }
          for (const item of drawn.items) {
            const group = make('g', { class: 'node', transform: `translate(${item.x} ${item.y})` });
            group.append(make('rect', { width: BOX.width, height: BOX.height }));
            if (item.edge) {
              group.classList.add('listener');
              group.append(make('text', { class: 'name', x: BOX.width / 2, y: 27, 'text-anchor': 'middle' }, cut(item.edge.listener, 20)));
            } else {
              const node = nodes[item.id];
              if (!node.up.length) group.classList.add('source');
              group.append(make('text', { class: 'name', x: 10, y: 18 }, cut(node.label.replace(/^'|'$/g, ''), 20)), make('text', { class: 'held', x: 10, y: 35 }), make('title'));
              Object.assign(group, { tabIndex: 0, onclick: () => pick(item.id), ondblclick: () => narrow(item.id, steps || 2) });
              group.setAttribute('role', 'button');
              group.onkeydown = event => { if (event.key === 'Enter' || event.key === ' ') { pick(item.id); event.preventDefault(); event.stopPropagation(); } };
              drawn.nodeElements.set(item.id, group);
            }
            scene.append(group);
          }
          const hidden = nodes.length - ids.length;
          $('notice').textContent = hidden ? `${ids.length} of ${nodes.length} nodes: those around ${label(around)}` : '';
          $('steps').value = steps;
          fit();
          update();
        }
        function fit() {
          const xs = drawn.items.map(item => item.x), ys = drawn.items.map(item => item.y), frame = svg.getBoundingClientRect();
          const width = Math.max(...xs) - Math.min(...xs) + BOX.width, height = Math.max(...ys) - Math.min(...ys) + BOX.height + 40;
          const scale = Math.max(.12, Math.min(1.25, (frame.width - 60) / width, (frame.height - 60) / height));
          view = { scale, x: frame.width / 2 - scale * (Math.min(...xs) + width / 2), y: frame.height / 2 - scale * (Math.min(...ys) + (height - 40) / 2) };
          move();
        }
        function move() { scene.setAttribute('transform', `translate(${view.x} ${view.y}) scale(${view.scale})`); }
        function zoom(factor, x, y) {
          const frame = svg.getBoundingClientRect(), scale = Math.max(.05, Math.min(4, view.scale * factor));
          x = x === undefined ? frame.width / 2 : x - frame.left; y = y === undefined ? frame.height / 2 : y - frame.top;
          view = { scale, x: x - (x - view.x) * scale / view.scale, y: y - (y - view.y) * scale / view.scale };
          move();
        }

        /** Shows the state after the event `step`. */
        function update() {
          const event = events[step], lit = new Map();
          if (event && overlay === 'step') {
            for (let index = step; index >= 0 && index >= roots[step]; index--)
              if (roots[index] === roots[step] && events[index].edge >= 0) { const other = events[index]; if (!lit.has(other.edge)) lit.set(other.edge, isRefusal(other) ? 'refused' : 'came'); }
            if (event.edge >= 0) lit.set(event.edge, isRefusal(event) ? 'refused' : 'lit');
          }
          const most = overlay === 'hot' ? Math.max(1, ...edges.map(edge => edge.heat)) : Math.max(1, ...edges.map(edge => edge.wasted));
          for (const [id, group] of drawn.edgeElements) {
            group.setAttribute('class', `edge ${isThereAt(edges[id], step) ? '' : 'gone'} ${lit.get(id) || ''}`);
            const share = overlay === 'step' ? 0 : (overlay === 'hot' ? edges[id].heat : edges[id].wasted) / most, path = group.firstChild;
            path.style.stroke = share > 0 ? `color-mix(in srgb, var(--hot) ${Math.round(25 + 75 * Math.sqrt(share))}%, var(--edge))` : '';
            path.style.strokeWidth = share > 0 ? 1.5 + 6 * Math.sqrt(share) : '';
          }
          const refusedAt = event && isRefusal(event) ? event.node : -1;
          for (const [id, group] of drawn.nodeElements) {
            const node = nodes[id], value = valueAt(node, step), changed = event && isStore(event) && event.node === id;
            group.setAttribute('class', `node ${value < 0 ? 'empty' : ''} ${node.up.length ? '' : 'source'} ${changed ? 'changed' : ''} ${refusedAt === id ? 'refused' : ''} ${picked === id ? 'picked' : ''}`);
            const [, , held, title] = group.children;
            held.textContent = value < 0 ? 'empty' : cut(text(value), 18);
            title.textContent = `${node.label}: ${value < 0 ? 'empty' : text(value)}`;
          }
          $('place').textContent = event ? `${step + 1} of ${events.length} · ${moment(event)} · ${threadName(event)}` : 'nothing on record';
          line.setAttribute('aria-valuemax', Math.max(0, events.length - 1)); line.setAttribute('aria-valuenow', step);
          line.setAttribute('aria-valuetext', event ? sentence(event) : '');
          tell(event);
          drawLine();
        }
        const jump = event => html('a', sentence(event), { tabIndex: 0, onclick: () => go(event.id), onkeydown: key => key.key === 'Enter' && go(event.id) });
        function tell(event) {
          $('event').replaceChildren(...(event ? [html('h2', `Step ${step + 1}`), html('p', sentence(event), { className: isRefusal(event) ? 'stop' : '' }),
            html('p', event.cause >= 0 ? ['because ', jump(events[event.cause])] : [`${moment(event)}, on ${threadName(event)}`], { className: 'soft' })] : [html('p', 'Nothing is on record.')]));
          if (picked < 0) return;
          const node = nodes[picked], value = valueAt(node, step);
          $('selected').replaceChildren(html('h2', node.label), html('p', value < 0 ? 'empty' : text(value), { className: 'value' }),
            html('p', `${node.type}${node.place ? ` · ${node.place}` : ''} · ${node.stores.length} changes on record`, { className: 'soft' }),
            html('p', [html('button', 'Why?', { id: 'why', title: 'w', onclick: () => ask('why') }), ' ', html('button', 'Why not?', { id: 'whyNot', title: 'x', onclick: () => ask('whyNot') }), ' ',
              html('button', 'Around it', { title: '2', onclick: () => narrow(picked, 2) })]));
          if (answerShown) ask(answerShown);
        }
        function ask(question) {
          answerShown = question;
          const answer = $('answer');
          if (question === 'why') {
            const steps = why(picked, step);
            answer.replaceChildren(html('h2', `Why ${label(picked)} holds ${shown(valueAt(nodes[picked], step))}`), steps.length ? html('ol', steps.map(event => html('li', jump(event)))) : html('p', 'Nothing on record has set it by then.'));
          } else {
            const answers = whyNot(picked, step);
            answer.replaceChildren(html('h2', `Why ${label(picked)} was not set since`), ...(answers.length ? answers.flatMap(({ set, stops }) => [html('p', jump(set)),
              html('ol', stops.length ? stops.map(stop => html('li', jump(stop), { className: 'stop' })) : html('li', 'It led nowhere further.'))]) : [html('p', 'Nothing upstream of it was set.')]));
          }
        }

        function go(to) { step = Math.max(0, Math.min(events.length - 1, to)); update(); }
        function pick(id) { picked = id; answerShown = null; $('answer').replaceChildren(); update(); }
        function narrow(id, count) { around = picked = id; steps = count; draw(); }
        function next(places, forwards) {
          const count = countUpTo(places, forwards ? step : step - 1), place = forwards ? count : count - 1;
          if (place >= 0 && place < places.length) go(places[place]);
        }
        function drawLine() {
          const ratio = devicePixelRatio || 1, width = line.clientWidth, height = line.clientHeight, pen = line.getContext('2d'), style = getComputedStyle(document.documentElement), ink = name => style.getPropertyValue(name).trim();
          line.width = width * ratio; line.height = height * ratio; pen.scale(ratio, ratio);
          pen.fillStyle = ink('--ground'); pen.fillRect(0, 0, width, height);
          const place = index => events.length < 2 ? width / 2 : 6 + index / (events.length - 1) * (width - 12);
          // One line a pixel: what is rarest shows.
          const columns = new Map();
          for (const event of events) { const x = Math.round(place(event.id)), rank = event.kind === KIND.mark ? 4 : isRefusal(event) ? 3 : isSet(event) ? 2 : 1; if ((columns.get(x) || 0) < rank) columns.set(x, rank); }
          for (const [x, rank] of columns) {
            pen.fillStyle = ink(['', '--edge', '--lit', '--stop', '--mark'][rank]);
            const tall = [0, 14, 26, 20, height][rank];
            pen.fillRect(x, rank === 4 ? 0 : height - 6 - tall, rank === 4 ? 2 : 1.4, tall);
          }
          if (picked >= 0) { pen.fillStyle = ink('--pick'); for (const id of nodes[picked].stores) pen.fillRect(place(id) - 1, height - 5, 3, 4); }
          if (events.length) { pen.fillStyle = ink('--ink'); pen.fillRect(place(step) - 1, 0, 2.5, height); }
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
        const actions = { first: () => go(0), last: () => go(events.length - 1), previous: () => go(step - 1), next: () => go(step + 1), previousSet: () => next(sets, false), nextSet: () => next(sets, true),
          previousChange: () => next(nodes[picked].stores, false), nextChange: () => next(nodes[picked].stores, true), fit, theme: () => {
            const root = document.documentElement, isDark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
            root.dataset.theme = isDark ? 'light' : 'dark'; drawLine(); }, help: () => $('keys').showModal() };
        for (const [id, action] of Object.entries(actions)) $(id).onclick = action;
        $('steps').onchange = event => { steps = +event.target.value; around = picked; draw(); };
        $('overlay').onchange = event => { overlay = event.target.value; update(); };
        $('marks').append(...marks.map(id => html('option', events[id].reason, { value: id })));
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
        addEventListener('resize', () => { fit(); drawLine(); });
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawLine);
        draw();

        """#
}
