/** Parts of the page around the picture. Each gets what it tells others as functions. */

const element = id => document.getElementById(id);

/** A number in few letters. */
function short(x, digits = 4) {
  if (x === null || x === undefined) return '–';
  if (!Number.isFinite(x)) return String(x);
  const text = Number(x.toPrecision(digits));
  return Math.abs(text) >= 1e6 || text !== 0 && Math.abs(text) < 1e-4 ? text.toExponential() : String(text);
}

/** A button that is on or off. */
function toggle(id, on, change) {
  const button = element(id);
  const set = value => {
    button.setAttribute('aria-pressed', value);
    change(value);
  };
  button.addEventListener('click', () => set(button.getAttribute('aria-pressed') !== 'true'));
  set(on);
}

/** The expression's box: `ask` is called with a text that has not changed for a moment. */
function expressionBox(ask) {
  const box = element('expression'), error = element('error');
  let timer = 0;
  function soon(delay) {
    clearTimeout(timer);
    timer = setTimeout(() => ask(box.value), delay);
  }
  box.addEventListener('input', () => soon(150));
  box.addEventListener('keydown', event => { if (event.key === 'Enter') soon(0); });

  /** The letters before a byte of a text. */
  const letters = (text, byte) => [...new TextDecoder().decode(new TextEncoder().encode(text).slice(0, byte))].length;
  function complain(text, { error: why, at, length }) {
    const first = letters(text, at), last = letters(text, at + length);
    const under = document.createElement('span');
    under.className = 'under';
    under.textContent = `${text}\n${' '.repeat(first)}${'^'.repeat(Math.max(1, last - first))}`;
    error.replaceChildren(under, why);
    error.hidden = false;
    box.setAttribute('aria-invalid', 'true');
  }
  function accept() {
    error.hidden = true;
    box.removeAttribute('aria-invalid');
  }
  function set(text) {
    box.value = text;
    soon(0);
  }
  /** Puts a name where the cursor is. */
  function insert(name) {
    const [from, to] = document.activeElement === box ? [box.selectionStart, box.selectionEnd] : [0, box.value.length];
    box.setRangeText(name, from, to, 'end');
    box.focus();
    soon(0);
  }
  return { complain, accept, set, insert };
}

/** The list of fields; `choose` is called with the name as an expression has it. */
function fieldList(fields, choose) {
  const list = element('fields');
  list.replaceChildren(...fields.map(({ name, type, of, count, unit, range }) => {
    const button = document.createElement('button');
    button.type = 'button';
    const written = /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``;
    button.textContent = written;
    const ends = range ? `, ${short(range[0])} to ${short(range[1])}` : '';
    button.title = `${type} of ${count.toLocaleString('en')} ${of ?? 'all'}${ends}${unit ? ` ${unit}` : ''}`;
    button.addEventListener('mousedown', event => event.preventDefault());
    button.addEventListener('click', () => choose(type === 'vector' ? `mag(${written})` : type === 'scalar' ? written : `${written}.0`));
    return button;
  }));
}

/** The scale of colours with its range. `changed` is called when another range or ramp is chosen. */
function colourScale(ramps, changed) {
  const choice = element('ramp'), mode = element('range'), scale = element('scale');
  const ends = [element('least'), element('greatest')], handles = [element('low'), element('high')];
  for (const name of Object.keys(ramps)) choice.add(new Option(name, name));
  let fixed = [0, 1], frame = null, most = null;

  const range = () => mode.value === 'fixed' || !frame ? fixed : mode.value === 'most' ? most() : [frame.minimum, frame.maximum];
  function fix(next) {
    if (!next.every(Number.isFinite)) return;
    fixed = next;
    mode.value = 'fixed';
    show();
    changed();
  }
  /** Numbers that are easy to read, about five of them. */
  function ticks(low, high) {
    const raw = (high - low) / 5;
    if (!(raw > 0)) return [low];
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map(k => k * power).find(step => step >= raw);
    const all = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) all.push(k * step);
    return all;
  }
  function show() {
    const colours = ramps[choice.value].map(rgb => `rgb(${rgb.join(' ')})`);
    scale.style.background = `linear-gradient(to top, ${colours.join(', ')})`;
    const [low, high] = range();
    ends.forEach((input, i) => { if (document.activeElement !== input) input.value = Number([low, high][i].toPrecision(6)); });
    scale.querySelectorAll('span').forEach(tick => tick.remove());
    for (const value of ticks(low, high)) {
      const tick = document.createElement('span');
      tick.textContent = `– ${short(value)}`;
      tick.style.bottom = `${high > low ? 100 * (value - low) / (high - low) : 50}%`;
      scale.append(tick);
    }
    handles[0].style.bottom = '0%';
    handles[1].style.bottom = '100%';
    handles.forEach((handle, i) => handle.setAttribute('aria-valuenow', short([low, high][i])));
  }
  choice.addEventListener('change', () => { show(); changed(); });
  mode.addEventListener('change', () => { if (mode.value === 'fixed') fixed = range(); show(); changed(); });
  ends.forEach(input => input.addEventListener('change', () => fix(ends.map(end => Number(end.value)))));

  // a handle moves its end; the scale between them moves both
  let held = null;
  scale.addEventListener('pointerdown', event => {
    scale.setPointerCapture(event.pointerId);
    held = { from: event.clientY, range: [...range()], moves: [event.target !== handles[1], event.target !== handles[0]] };
  });
  scale.addEventListener('pointermove', event => {
    if (!held) return;
    const [low, high] = held.range;
    const by = (event.clientY - held.from) / Math.max(scale.clientHeight, 1) * (high - low || 1);
    fix([low + (held.moves[0] ? by : 0), high + (held.moves[1] ? by : 0)]);
  });
  for (const end of ['pointerup', 'pointercancel']) scale.addEventListener(end, () => { held = null; });
  handles.forEach((handle, i) => handle.addEventListener('keydown', event => {
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    const next = [...range()];
    next[i] += way * (next[1] - next[0] || 1) / 50;
    fix(next);
  }));
  return {
    range,
    colours: () => ramps[choice.value],
    name: text => { element('legend-name').textContent = text; },
    /** A new frame, whose range may be the scale's. */
    frame: next => {
      frame = next;
      let known = null;
      most = () => known ||= frames.percentiles(frame, [0.02, 0.98]);
      show();
    },
  };
}

/** Numbers of the last two seconds, and percentiles of the last hundred. */
function statistics() {
  const arrivals = [];
  const lists = { picture: [], photon: [], decode: [], age: [] };
  const facts = {};
  const add = (name, value, frame) => {
    lists[name].push(value);
    if (lists[name].length > 100) lists[name].shift();
    window.live?.measured?.(name, value, frame);
  };
  const percentile = (name, share) => {
    const sorted = [...lists[name]].sort((a, b) => a - b);
    return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] : undefined;
  };
  const both = name => lists[name].length ? `${short(percentile(name, 0.5), 3)} ms (95 %: ${short(percentile(name, 0.95), 3)})` : '–';
  function show(now) {
    while (arrivals.length && arrivals[0][0] < now - 2000) arrivals.shift();
    const bits = arrivals.reduce((sum, [, bytes]) => sum + 8 * bytes, 0);
    const rows = {
      'frames a second': short(arrivals.length / 2, 3),
      'Mbit/s': short(bits / 2e6, 3),
      'age of a frame': both('age'),
      'input to picture': both('picture'),
      'input to its frame': both('photon'),
      'round trip': facts.trip === undefined ? '–' : `${short(facts.trip, 3)} ms`,
      'reading a frame': both('decode'),
      'drawn from': facts.points === undefined ? '–' : `${facts.points.toLocaleString('en')} ${facts.mode === 3 ? 'triangles' : 'points'}`,
      'because': facts.because ?? '–',
      'bytes of a frame': facts.bytes?.toLocaleString('en') ?? '–',
      'evaluated by': facts.tier ?? '–',
      'machine': facts.machine ?? '–',
    };
    const body = element('statistics');
    if (body.rows.length === 0) {
      for (const name of Object.keys(rows)) {
        const row = body.insertRow();
        const head = document.createElement('th');
        head.scope = 'row';
        head.textContent = name;
        row.append(head);
        row.insertCell();
      }
    }
    Object.values(rows).forEach((text, i) => { body.rows[i].cells[1].textContent = text; });
  }
  return { add, facts, show, percentile, arrived: (now, bytes) => arrivals.push([now, bytes]) };
}
