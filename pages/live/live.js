// The live component of Explore: sliders that move plotly charts in the browser.
//
// Python sends tables (distances in the order of their draws, k for every stop of γ and m, a rule for the noise's scale, the
// error on a grid of scales) and charts with `moves`: the name of a rule and its numbers for each moving trace. The component
// sends nothing while you drag a slider. When you release it, it sends ε, γ and m, and Python answers with the updated page.
// k is looked up in a table, so bounds are computed only in Python. The functions of part 1 are pure; tests compare them with
// Python's.

// 1. Numbers

export function floatAbove(x) {  // math.nextafter(x, inf) for x > 0
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  view.setBigUint64(0, view.getBigUint64(0) + 1n);
  return view.getFloat64(0);
}

function bytesOf(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes.buffer;
}

export function decoded(sent) {
  const distances = new Float64Array(bytesOf(sent.distances));
  const rising = Uint32Array.from(distances.keys()).sort((a, b) => distances[a] - distances[b] || a - b);
  return { ...sent, distances, rising, orders: new Uint32Array(bytesOf(sent.orders)), firstM: -1 };
}

export function firstSorted(tables, m) {  // the first m distances in ascending order, cached until m changes
  if (tables.firstM !== m) {
    const sorted = new Float64Array(m);
    let count = 0;
    for (const draw of tables.rising) if (draw < m) sorted[count++] = tables.distances[draw];
    Object.assign(tables, { firstM: m, sorted });
  }
  return tables.sorted;
}

export function scaleAt(rule, sensitivity, place) {
  if (!rule || !(sensitivity >= 0) || sensitivity === Infinity) return NaN;
  if (sensitivity === 0) return 0;
  if (rule.units) return floatAbove(rule.units[place] * sensitivity);
  const divide = rule.divide[place];
  if (divide === null) return NaN;
  const total = rule.times * sensitivity;
  return floatAbove((rule.up ? floatAbove(total) : total) / divide);
}

export function errorAt(table, scale) {  // interpolated in logarithms
  if (!table || !(scale > 0) || scale === Infinity) return NaN;
  const place = Math.log10(scale) * table.per_decade;
  const low = Math.floor(place);
  const at = table.logs[low - table.first], above = table.logs[low + 1 - table.first];
  return at === undefined || above === undefined ? NaN : Math.exp(at * (low + 1 - place) + above * (place - low));
}

export function numbersAt(tables, stop) {  // stop: indices of ε, γ and m in their stops
  const { stops } = tables;
  const epsilon = stops.epsilon[stop.epsilon], gamma = stops.gamma[stop.gamma], m = stops.m[stop.m];
  const k = tables.orders[stop.m * stops.gamma.length + stop.gamma];
  const delta = k ? firstSorted(tables, m)[k - 1] : NaN;
  const sensitivity = tables.fixed ?? delta;
  const scale = scaleAt(tables.scale, sensitivity, stop.epsilon);
  return { epsilon, gamma, m, k, delta, sensitivity, scale, error: errorAt(tables.error, scale),
    right: tables.right ? tables.right[stop.epsilon] : null, needs: tables.needs[stop.gamma] };
}

export function noiseAt(noise, scale) {
  if (noise.kind === 'unit') return noise.unit.map((u) => u === null ? null : scale * u);
  if (noise.kind === 'whole') return noise.up.map((up, i) => Math.floor(scale * up) - Math.floor(scale * noise.down[i]));
  const ratio = Math.exp(-1 / scale);  // quantiles of two-sided geometric noise
  return noise.levels.map((level) => {
    if (level === null) return null;
    const beyond = Math.min(level, 1 - level) * (1 + ratio);
    const least = Math.max(Math.ceil(-scale * Math.log(beyond) * (1 - 2 ** -50)) - 1, 0);
    return level < 0.5 ? -least : least;
  });
}

export function dots(exact, noise, reach, bins = 25) {
  const x = [], y = [], heights = new Array(bins).fill(0);
  for (const value of noise) {
    const column = Math.min(Math.max(Math.floor((value + reach) / (2 * reach) * bins), 0), bins - 1);
    x.push(exact - reach + (column + 0.5) * (2 * reach / bins));
    y.push(heights[column]++ + 0.5);
  }
  const close = Math.min(1, 16 / Math.max(...heights));  // dots of a high column overlap
  return { x, y: y.map((height) => close * height) };
}

export function boundary([first, second, bias], [[left, right], [low, high]]) {
  if (Math.abs(second) * (high - low) >= Math.abs(first) * (right - left) && second !== 0) {
    return { x: [left, right], y: [left, right].map((x) => -(bias + first * x) / second) };
  }
  return first !== 0 ? { x: [low, high].map((y) => -(bias + second * y) / first), y: [low, high] } : { x: [], y: [] };
}

export function staircase(sorted, right, most = 700) {
  let finite = sorted.length;
  while (finite && sorted[finite - 1] === Infinity) finite--;
  const count = Math.min(most, finite), x = [0], y = [0];
  for (let i = 0; i < count; i++) {
    let last = Math.floor(i * (finite - 1) / Math.max(count - 1, 1));
    x.push(sorted[last]);
    while (last + 1 < sorted.length && sorted[last + 1] === sorted[last]) last++;
    y.push((last + 1) / sorted.length);
  }
  return { x: [...x, right], y: [...y, finite / sorted.length] };
}

export function softmax(scores, scale) {
  const best = Math.max(...scores);
  const weights = scores.map((score) => Math.exp((score - best) / scale));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

export const RULES = {
  'dots': (move, now) => dots(move.exact, noiseAt(move.noise, now.scale), move.reach),
  'shift': (move, now) => {
    const noise = noiseAt(move.noise, now.scale), [low, high] = move.clip ?? [-Infinity, Infinity];
    return { [move.axis]: move.base.map((one, i) => noise[i] === null ? null : Math.min(Math.max(one + noise[i], low), high)) };
  },
  'boundary': (move, now) => boundary(move.base.map((one, i) => one + now.scale * move.unit[i]), move.ranges),
  'softmax': (move, now) => ({ y: softmax(move.scores, now.scale) }),
  'staircase': (move, now, tables) => staircase(firstSorted(tables, now.m), move.end),
  'vertical': (move, now) => ({ x: [0, 0].fill(Math.min(now.delta, move.end)) }),
  'beyond': (move, now) => ({ x: [Math.min(now.delta, move.end), Math.min(now.delta, move.end), move.end, move.end] }),
  'error point': (move, now) => ({ x: [now.epsilon], y: [now.error] }),
  'error curve': (move, now, tables) => (
    { y: tables.curve.epsilons.map((_, i) => errorAt(tables.error, scaleAt(tables.curve.scale, now.delta, i))) }),
  'operating point': (move, now) => ({ x: [now.gamma], y: [now.m] }),
};
const FOLLOWS = {  // what a rule depends on
  'dots': 'scale', 'shift': 'scale', 'boundary': 'scale', 'softmax': 'scale', 'staircase': 'm', 'vertical': 'delta',
  'beyond': 'delta', 'error point': 'error', 'error curve': 'curve', 'operating point': 'point',
};

export function movedTrace(move, now, tables) {
  const reached = now.delta === now.delta;  // m certifies γ
  const known = { scale: now.scale > 0, error: now.error > 0, delta: reached, curve: reached && tables.error, m: true, point: true };
  return known[FOLLOWS[move.rule]] ? RULES[move.rule](move, now, tables) : null;
}

// 2. Text in the format of Python

export function figure(value) {  // three significant digits: 0.0123, 1,230, 1.23e-07
  if (!Number.isFinite(value)) return value > 0 ? '∞' : 'not a number';
  const rounded = Number(value.toPrecision(3)), size = Math.abs(rounded);
  if (value !== 0 && !(Math.abs(value) >= 1e-4 && Math.abs(value) < 1e6)) {
    return value.toExponential(2).replace(/\.?0+e/, 'e').replace(/e([+-])(\d)$/, 'e$10$2');
  }
  return size >= 1000 ? rounded.toLocaleString('en-US', { maximumFractionDigits: 0 }) : String(rounded);
}

export function roundedUp(value) {  // three significant digits, not below the value
  const near = Number(value.toPrecision(3));
  return figure(near < value * (1 - 1e-12) ? near + 10 ** (Math.floor(Math.log10(value)) - 2) : near);
}

const short = (value) => String(Number(value.toPrecision(6)));
const whole = (value) => value.toLocaleString('en-US');

export function texts(templates, now, percent, exact) {
  const given = {
    epsilon: short(now.epsilon), gamma: short(now.gamma), share: `${roundedUp(100 * now.gamma)}%`,
    factor: roundedUp(Math.exp(Math.min(now.epsilon, 700))), limit: `${Math.ceil(100 / (1 + Math.exp(-now.epsilon)))}%`, k: now.k ? whole(now.k) : '–', delta: now.k ? figure(now.delta) : '–',
    error: now.error > 0 ? (percent ? `${figure(100 * now.error)}%` : figure(now.error)) : '…', everyday: '',
    guess: now.right === null ? '…' : exact ? (now.right < 0.995 ? `${(100 * now.right).toFixed(0)}%` : 'over 99%') : `at most ${Math.ceil(100 * now.right - 1e-9)}%`,
  };
  const filled = {};
  for (const [name, text] of Object.entries(templates)) {
    filled[name] = text.replace(/\{\{|\}\}|\{(\w+)\}/g, (found, key) => key ? given[key] : found[0]);
  }
  return filled;
}

// 3. The page

const AT_ONCE = { transition: { duration: 0 }, frame: { duration: 0, redraw: false }, mode: 'immediate' };
const MOVES = {  // the charts that a slider can change
  epsilon: ['answers', 'error'], gamma: ['answers', 'sensitivity', 'error', 'points'], m: ['answers', 'sensitivity', 'error', 'points'],
};
const KEY_PAUSE = 250;  // ms after the last key until a slider counts as released
const shared = globalThis.whatPrivacyCosts ??= {};  // tables.js puts the tables there
const controllers = new WeakMap();

function loadPlotly(address) {
  shared.plotly ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    Object.assign(script, { src: address, onload: () => resolve(window.Plotly), onerror: () => reject(new Error('plotly.js did not load')) });
    document.head.append(script);
  });
  return shared.plotly;
}

class Controller {
  constructor(root) {
    this.root = root;
    this.stop = {};
    this.held = null;  // the slider that is being dragged
    this.seq = null;  // number of the last message; answers to earlier messages do not move the sliders
    this.drawn = {};
    this.queue = new Set();
    for (const slider of this.all('.slider')) this.listen(slider);
    for (const select of this.all('select')) select.addEventListener('change', () => this.send('choice', { [select.name]: select.value }));
    this.confidence = this.one('[data-confidence] input');
    this.confidence.addEventListener('change', () => this.send('typed', { name: 'confidence', value: Number(this.confidence.value) }));
    for (const button of this.all('.switch button')) button.addEventListener('click', () => this.showTable(button.name === 'table'));
  }

  all(selector) { return this.root.querySelectorAll(selector); }

  one(selector) { return this.root.querySelector(selector); }

  listen(slider) {
    const name = slider.dataset.name, range = slider.querySelector('[type=range]'), box = slider.querySelector('[type=number]');
    let pause = null;
    const release = () => {
      clearTimeout(pause);
      pause = null;
      if (this.held !== name) return;
      this.held = null;
      if (['epsilon', 'gamma', 'm'].some((one) => this.now[one] !== this.data[one])) this.send('sliders', {});
    };
    range.addEventListener('input', () => {
      this.held = name;
      this.stop[name] = Number(range.value);
      this.follow(name);
      if (pause !== null) { clearTimeout(pause); pause = setTimeout(release, KEY_PAUSE); }
    });
    range.addEventListener('keydown', () => { clearTimeout(pause); pause = setTimeout(release, 4 * KEY_PAUSE); });
    range.addEventListener('keyup', () => { clearTimeout(pause); pause = setTimeout(release, KEY_PAUSE); });
    for (const event of ['pointerup', 'pointercancel', 'change']) {
      range.addEventListener(event, () => { if (pause === null) this.afterFrame(release); });
    }
    range.addEventListener('blur', release);
    box.addEventListener('input', () => { box.edited = true; });
    box.addEventListener('change', () => {
      box.edited = false;
      const value = Number(box.value);
      if (box.value !== '' && Number.isFinite(value)) this.send('typed', { name, value });
      else box.value = this.now[name];
    });
  }

  afterFrame(act) { if (this.waiting) requestAnimationFrame(act); else act(); }  // draws the last move first

  send(kind, content) {
    const { epsilon, gamma, m } = this.now;
    this.seq += 1;
    this.setStateValue('sent', { seq: this.seq, kind, epsilon, gamma, m, ...content });
  }

  update(data, setStateValue, Plotly) {
    this.seq ??= data.seq;
    if (data.seq < this.seq) return;  // the answer to a newer message will follow
    Object.assign(this, { data, setStateValue, Plotly });
    shared.arrived = null;
    if (data.tables && data.tables !== shared.tables?.id) {  // the tables have not arrived yet
      shared.arrived = () => this.update(data, setStateValue, Plotly);
      return;
    }
    if (this.tables?.id !== data.tables) this.tables = data.tables ? decoded(shared.tables) : null;
    for (const name of ['epsilon', 'gamma', 'm']) {
      const stops = this.tables ? this.tables.stops[name] : [data[name]];
      const held = this.held === name && this.now ? nearest(stops, this.now[name]) : -1;
      this.stop[name] = held >= 0 ? held : Math.max(0, stops.indexOf(data[name]));
      const range = this.one(`[data-name=${name}] [type=range]`);
      range.max = stops.length - 1;
      if (this.held !== name) range.value = this.stop[name];
    }
    this.now = this.tables ? numbersAt(this.tables, this.stop) : { epsilon: data.epsilon, gamma: data.gamma, m: data.m };
    for (const select of this.all('select')) fillSelect(select, data.choices[select.name], data[select.name]);
    for (const label of this.all('[data-choice]')) {
      label.hidden = data.hidden.includes(label.dataset.choice) || (data.choices[label.dataset.choice] ?? []).length < 2;
    }
    this.confidence.parentElement.hidden = data.confidence === null || data.hidden.includes('bound');
    this.confidence.value = data.confidence ?? '';
    this.fillTable();
    this.write(data.texts);
    this.labels();
    for (const panel of this.all('.panel')) this.draw(panel);
    if (this.held) this.follow(this.held);
    this.root.dataset.answered = data.seq;  // for tests: the page agrees with this message
  }

  write(texts) {
    for (const [name, text] of Object.entries(texts)) {
      const element = this.one(`[data-text=${name}]`);
      if (element && element.textContent !== text) element.textContent = text;
    }
    for (const title of this.all('.gtitle')) {  // the guarantee follows the title of each chart
      const spans = title.querySelectorAll('tspan');
      if (spans.length > 1) spans[spans.length - 1].textContent = `  ${texts.line}`;
    }
  }

  labels() {
    for (const name of ['epsilon', 'gamma', 'm']) {
      const slider = this.one(`[data-name=${name}].slider`), said = name === 'm' ? whole(this.now.m) : short(this.now[name]);
      slider.querySelector('[type=range]').setAttribute('aria-valuetext', said);
      const box = slider.querySelector('[type=number]');
      if (!box.edited) box.value = name === 'm' ? this.now.m : short(this.now[name]);
    }
  }

  follow(name) {  // a slider moved: redraw once per frame
    if (!this.tables) return;
    for (const chart of MOVES[name] ?? []) this.queue.add(chart);
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (!this.tables) return;
      this.now = numbersAt(this.tables, this.stop);
      const said = texts(this.data.templates, this.now, this.data.percent, this.data.exact);
      const needs = this.now.k ? {} : { summary: `γ = ${short(this.now.gamma)} needs m ≥ ${whole(this.now.needs)}` };
      this.write({ ...said, ...needs });
      this.labels();
      const [next] = this.queue;  // one chart a frame, in turn: plotly takes most of a frame for each
      this.queue.delete(next);
      this.move(next);
      if (this.queue.size) this.follow();
    });
  }

  move(name) {
    const chart = this.data.charts[name], div = this.one(`.panel[data-name=${name}] .chart`);
    if (!chart || !this.drawn[name]) return;
    const moved = chart.moves.map((move) => [move.trace, movedTrace(move, this.now, this.tables)]).filter(([, data]) => data);
    if (!moved.length) return;
    this.drawn[name] = 'moved';
    this.Plotly.animate(div, { data: moved.map(([, data]) => data), traces: moved.map(([trace]) => trace) }, AT_ONCE).catch(() => {});
  }

  draw(panel) {
    const name = panel.dataset.name, chart = this.data.charts[name], div = panel.querySelector('.chart');
    if (panel.hidden) return;
    const problem = panel.querySelector('.problem');
    problem.hidden = Boolean(chart);
    div.hidden = !chart || (name === 'points' && this.tableShown);
    if (!chart) {
      problem.textContent = name === 'answers' ? this.data.problem : this.data.elsewhere;
      this.drawn[name] = null;
      return;
    }
    div.setAttribute('aria-label', chart.alt);
    const colour = getComputedStyle(this.root).color, version = `${chart.digest} ${colour}`;
    if (this.drawn[name] === version) return;
    this.drawn[name] = version;
    const font = { ...chart.figure.layout.font, color: colour, family: getComputedStyle(this.root).fontFamily };
    const layout = { ...structuredClone(chart.figure.layout), font, autosize: true }, fixed = fixedParts(chart.figure.data, layout);
    if (div.fixed === fixed && alike(div.data, chart.figure.data)) {  // the slider has drawn it already
      div.layout.title.text = layout.title.text;
      return;
    }
    div.fixed = fixed;
    this.Plotly.react(div, structuredClone(chart.figure.data), layout, this.data.config);
    if (name === 'points' && !div.listens) {
      div.listens = true;
      div.on('plotly_click', ({ points }) => this.clicked(points[0]));
    }
  }

  clicked(point) {
    const bound = this.data.bounds[point.curveNumber];
    if (bound) this.send('choice', { bound, gamma: point.x, m: point.y });
  }

  showTable(shown) {
    this.tableShown = shown;
    for (const button of this.all('.switch button')) button.setAttribute('aria-pressed', String((button.name === 'table') === shown));
    this.one('.table1').hidden = !shown;
    this.one('.panel[data-name=points] .chart').hidden = shown;
  }

  fillTable() {
    const box = this.one('.table1'), table = this.data.table1;
    this.mode = table[this.mode] ? this.mode : Object.keys(table)[0];
    const modes = element('div', { className: 'modes switch', style: 'position: static' });
    for (const mode of Object.keys(table)) {
      const button = element('button', { type: 'button', textContent: mode, onclick: () => { this.mode = mode; this.fillTable(); } });
      button.setAttribute('aria-pressed', String(mode === this.mode));
      modes.append(button);
    }
    const body = element('table', {}), head = element('tr', {}), rows = table[this.mode];
    for (const name of ['bound', 'm', 'k', 'ρ', 'γ']) head.append(element('th', { scope: 'col', textContent: name }));
    body.append(element('thead', {}, head));
    const lines = element('tbody', {});
    for (const row of rows) {
      const line = element('tr', {});
      if (row.choice.bound === this.data.bound) line.dataset.chosen = '';
      const button = element('button', { type: 'button', textContent: row.bound, onclick: () => this.send('choice', row.choice) });
      line.addEventListener('click', (event) => { if (event.target !== button) button.click(); });
      line.append(element('th', { scope: 'row' }, button));
      for (const name of ['m', 'k', 'ρ', 'γ']) line.append(element('td', { textContent: row[name] }));
      lines.append(line);
    }
    body.append(lines);
    box.replaceChildren(modes, body);
  }
}

function element(kind, properties, ...children) {
  const made = Object.assign(document.createElement(kind), properties);
  made.append(...children);
  return made;
}

function fixedParts(traces, layout) {  // all but the places of points, and the guarantee behind the title
  const title = layout.title.text.split('  <span')[0];
  return JSON.stringify([traces.map(({ x, y, customdata, ...rest }) => rest), { ...layout, title }]);
}

function alike(drawn, traces) {  // the same places, up to rounding
  const same = (a, b) => a === b || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
  const places = (mine, theirs) => (mine?.length ?? 0) === (theirs?.length ?? 0) && (mine ?? []).every((one, i) => same(one, theirs[i]));
  return drawn.length === traces.length && traces.every(({ x, y }, i) => places(drawn[i].x, x) && places(drawn[i].y, y));
}

function nearest(stops, value) {
  let best = 0;
  stops.forEach((stop, place) => { if (Math.abs(stop - value) < Math.abs(stops[best] - value)) best = place; });
  return best;
}

function fillSelect(select, options, value) {
  const wanted = JSON.stringify(options);
  if (select.dataset.options !== wanted) {
    select.replaceChildren(...(options ?? []).map(([name, text]) => element('option', { value: name, textContent: text })));
    select.dataset.options = wanted;
  }
  select.value = value;
}

// 4. Called by Streamlit when data or theme change

function hideParts(root, hidden) {  // at once, before plotly has loaded
  for (const part of root.querySelectorAll('[data-name]')) part.hidden = hidden.includes(part.dataset.name);
  for (const part of root.querySelectorAll('[data-choice]')) part.hidden ||= hidden.includes(part.dataset.choice);
  root.toggleAttribute('data-one-column', root.querySelectorAll('.panel:not([hidden])').length < 2);
}

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector('.live');
  hideParts(root, data.hidden);
  let controller = controllers.get(root);
  if (!controller) controllers.set(root, controller = new Controller(root));
  loadPlotly(data.plotly)
    .then((Plotly) => controller.update(data, setStateValue, Plotly))
    .catch((error) => setStateValue('failed', String(error.message ?? error).slice(0, 300)));
  return () => { controllers.delete(root); };
}
