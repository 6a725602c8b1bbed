extension Page {
    /// Places the nodes: in layers along the edges, in an order with few crossings.
    static let pageLayout = #"""
        const BOX = { width: 150, height: 44, across: 96, along: 20, beside: 24 }, LIMIT = 300, LISTENERS = 24;
        /** The nodes that are shown: those at most so many edges away from `around`, nearest first; or all. */
        function surroundings(around, steps) {
          if (!steps) return nodes.length <= LIMIT ? nodes.map(node => node.id) : surroundings(around, 2);
          const found = new Map([[around, 0]]), waiting = [around];
          for (const id of waiting) {
            if (found.get(id) === steps) continue;
            for (const edge of [...nodes[id].up, ...nodes[id].down, ...nodes[id].sets]) {
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
          const listeners = new Map();
          let hiddenListeners = 0;
          for (const id of ids) for (const edge of nodes[id].down) {
            let target = items.get(edge.to);
            if (edge.listener) listeners.set(id, (listeners.get(id) || 0) + 1);
            if (edge.listener && listeners.get(id) > LISTENERS) { hiddenListeners++; continue; }
            if (edge.listener) { const key = `listener ${edge.id}`; target = { key, edge, ins: [], outs: [], layer: 0 }; items.set(key, target); }
            if (target) links.push({ edge, from: items.get(id), to: target });
          }
          for (const set of new Set(ids.flatMap(id => nodes[id].sets))) {
            const from = items.get(`listener ${set.by}`) || items.get(set.from), to = items.get(set.to);
            if (from && to && from !== to) links.push({ set, from, to });
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
          // A node that leads somewhere stands as near to its target as it can.
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
          // A layer that is much taller than the others stands in several columns.
          const rows = Math.max(12, Math.ceil(1.3 * Math.sqrt(items.size))), columnsOf = layer => Math.ceil(layer.length / rows);
          for (const layer of layers) if (columnsOf(layer) > 1) {
            const columns = columnsOf(layer), height = Math.ceil(layer.length / columns);
            layer.forEach((item, index) => item.order = Math.floor(index / columns) - (height - 1) / 2);
          }
          // The others stand as high as their neighbours, as far as the others in the layer leave room.
          for (let sweep = 0; sweep < 6; sweep++) for (const layer of sweep % 2 ? [...layers].reverse() : layers) {
            if (columnsOf(layer) > 1) continue;
            layer.forEach(item => item.wish = middle(item, [...item.ins, ...item.outs]));
            let last = -Infinity;
            const down = layer.map(item => last = Math.max(item.wish, last + 1));
            last = Infinity;
            const up = layer.map(() => 0);
            for (let index = layer.length - 1; index >= 0; index--) up[index] = last = Math.min(layer[index].wish, last - 1);
            layer.forEach((item, index) => item.order = (down[index] + up[index]) / 2);
          }
          let x = 0;
          for (const layer of layers) {
            const columns = columnsOf(layer);
            layer.forEach((item, index) => { item.x = x + index % columns * (BOX.width + BOX.beside); item.y = item.order * (BOX.height + BOX.along); });
            x += columns * (BOX.width + BOX.beside) - BOX.beside + BOX.across;
          }
          return { items: [...items.values()], links, hiddenListeners };
        }
        /** The places where labels stand that hide neither a node nor one another; `null` for those that crowd. */
        function placeLabels(items, links) {
          const taken = new Map(), cell = 60;
          const cells = (box, visit) => { for (let x = Math.floor(box.x / cell); x * cell <= box.x + box.width; x++) for (let y = Math.floor(box.y / cell); y * cell <= box.y + box.height; y++) if (visit(`${x} ${y}`)) return true; return false; };
          const take = box => cells(box, key => { if (!taken.has(key)) taken.set(key, []); taken.get(key).push(box); return false; });
          const isTaken = box => cells(box, key => (taken.get(key) || []).some(other => box.x < other.x + other.width && other.x < box.x + box.width && box.y < other.y + other.height && other.y < box.y + box.height));
          for (const item of items) take({ x: item.x - 4, y: item.y - 1, width: BOX.width + 8, height: BOX.height + 2 });
          return links.map(link => {
            const name = (link.edge || link.set).name;
            if (name === 'Listen') return null;
            const width = Math.min(name.length, 18) * 5.9 + 4, { start, bend, end } = curveOf(link);
            for (const share of [.5, .36, .64, .24, .76]) {
              const rest = 1 - share, at = (a, b, c, d) => rest ** 3 * a + 3 * rest ** 2 * share * b + 3 * rest * share ** 2 * c + share ** 3 * d;
              const x = at(start.x, start.x + bend.x, end.x - bend.x, end.x), y = at(start.y, start.y + bend.y, end.y + bend.y, end.y) - 4;
              const box = { x: x - width / 2, y: y - 11, width, height: 13 };
              if (isTaken(box)) continue;
              take(box);
              return { x, y };
            }
            return null;
          });
        }
        /** Where an edge begins and ends, and how it bends: one that leads back, below both. */
        function curveOf({ from, to, closesRing }) {
          const start = { x: from.x + BOX.width, y: from.y + BOX.height / 2 }, end = { x: to.x, y: to.y + BOX.height / 2 };
          const back = closesRing || end.x < start.x;
          return { start, end, bend: back ? { x: 60, y: BOX.height + 14 } : { x: (end.x - start.x) / 2, y: 0 } };
        }
        function outs(links) {
          if (!links.byStart) { links.byStart = new Map(); for (const link of links) { if (!links.byStart.has(link.from)) links.byStart.set(link.from, []); links.byStart.get(link.from).push(link); } }
          return links.byStart;
        }

        """#
}
