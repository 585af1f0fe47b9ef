'use strict';
(() => {
  const element = id => document.getElementById(id);
  const page = document.documentElement;
  const scene = JSON.parse(element('scene').textContent);
  const canvas = element('canvas');

  /** Says what keeps the mesh from being shown. */
  function fail(message) {
    element('message').textContent = message;
    element('message').hidden = false;
    page.dataset.state = 'failed';
  }

  /** The bytes of an array, which stand in the page in pieces. The pieces are removed, for they take memory. */
  function bytes(name, length) {
    const all = new Uint8Array(length);
    let end = 0;
    for (const piece of document.querySelectorAll(`script[data-array="${name}"]`)) {
      const text = piece.textContent;
      piece.remove();
      if (Uint8Array.fromBase64) {
        const part = Uint8Array.fromBase64(text);
        all.set(part, end);
        end += part.length;
      } else {
        const part = atob(text);
        for (let i = 0; i < part.length; i++) all[end + i] = part.charCodeAt(i);
        end += part.length;
      }
    }
    if (end !== length) throw new Error(`The page is damaged: ${name} has ${end} bytes instead of ${length}.`);
    return all.buffer;
  }

  const FIELD_OF_VIEW = 30;
  const FILL = 0.94;
  const camera = { azimuth: 0, elevation: 0, height: 2, target: [0, 0, 0] };
  let positions = null;
  // whether the reader has moved the camera since it saw everything
  let moved = false;

  const radians = degrees => degrees * Math.PI / 180;
  const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
  const length = v => Math.hypot(...v);

  /** The camera's axes: right, up, and towards the viewer. */
  function axes() {
    const [a, e] = [radians(camera.azimuth), radians(camera.elevation)];
    const [sa, ca, se, ce] = [Math.sin(a), Math.cos(a), Math.sin(e), Math.cos(e)];
    const [right, up, front] = scene.view.axes;
    const turned = [[ca, 0, -sa], [-sa * se, ce, -ca * se], [sa * ce, se, ca * ce]];
    return turned.map(v => [0, 1, 2].map(i => v[0] * right[i] + v[1] * up[i] + v[2] * front[i]));
  }
  /** The view of the beginning, in which the mesh fills the picture. */
  function reset() {
    moved = false;
    Object.assign(camera, { azimuth: scene.view.azimuth, elevation: scene.view.elevation });
    const turn = axes();
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < positions.length; i += 3) {
      for (let k = 0; k < 3; k++) {
        const x = turn[k][0] * positions[i] + turn[k][1] * positions[i + 1] + turn[k][2] * positions[i + 2];
        if (x < low[k]) low[k] = x;
        if (x > high[k]) high[k] = x;
      }
    }
    const size = [0, 1, 2].map(k => high[k] - low[k]);
    const aspect = canvas.clientWidth / Math.max(canvas.clientHeight, 1);
    camera.height = Math.max(size[1], size[0] / aspect, 1e-6) / FILL;
    // what is nearer looks larger
    if (perspective) camera.height += size[2] * Math.tan(radians(FIELD_OF_VIEW / 2));
    const middle = [0, 1, 2].map(k => (low[k] + high[k]) / 2);
    camera.target = [0, 1, 2].map(i => turn[0][i] * middle[0] + turn[1][i] * middle[1] + turn[2][i] * middle[2]);
    draw();
  }
  function rotate(right, down) {
    moved = true;
    camera.azimuth = (camera.azimuth - right) % 360;
    camera.elevation = clamp(camera.elevation + down, -90, 90);
    draw();
  }
  /** Moves the mesh by pixels. */
  function pan(right, down) {
    moved = true;
    const [x, y] = axes();
    const unit = camera.height / Math.max(canvas.clientHeight, 1);
    camera.target = camera.target.map((t, i) => t + (down * y[i] - right * x[i]) * unit);
    draw();
  }
  /** Zooms in around a point, in pixels from the middle. */
  function zoom(factor, right, down) {
    const before = camera.height;
    camera.height = clamp(before / factor, 1e-5, 50);
    const kept = before / camera.height;
    pan(right * (1 - kept), down * (1 - kept));
  }

  const shade = { edges: scene.edges, flat: scene.flat };
  let perspective = scene.perspective;
  let gl = null, draw = () => {};
  let colouring = scene.colouring.kind;

  function shader(kind, id, defines) {
    const [version, ...lines] = element(id).textContent.trim().split('\n');
    const made = gl.createShader(kind);
    gl.shaderSource(made, [version, ...defines.map(name => `#define ${name}`), ...lines].join('\n'));
    gl.compileShader(made);
    return made;
  }
  const programs = {};
  /** The program of a way of colouring, with the places of its uniforms. */
  function program(kind) {
    if (programs[kind]) return programs[kind];
    const made = gl.createProgram();
    const shaders = [
      shader(gl.VERTEX_SHADER, 'vertex-shader', [kind.toUpperCase()]),
      shader(gl.FRAGMENT_SHADER, 'fragment-shader', [kind.toUpperCase()]),
    ];
    shaders.forEach(part => gl.attachShader(made, part));
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) {
      const logs = [...shaders.map(part => gl.getShaderInfoLog(part)), gl.getProgramInfoLog(made)];
      throw new Error(`The shaders do not compile: ${logs.join(' ')}`);
    }
    const uniforms = {};
    for (let i = gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS) - 1; i >= 0; i--) {
      const { name } = gl.getActiveUniform(made, i);
      uniforms[name] = gl.getUniformLocation(made, name);
    }
    return programs[kind] = { made, uniforms };
  }
  const units = [];
  /** Puts an array into a texture, which shaders look up by number. */
  function texture(name, data, components, [internal, format, type], count) {
    const widest = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    const width = Math.min(widest, 8192, count), height = Math.ceil(count / width);
    if (height > widest) {
      throw new Error(`The mesh has ${count} ${name}; WebGL on this machine holds ${width * widest}.`);
    }
    gl.activeTexture(gl.TEXTURE0 + units.length);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST);
    for (const way of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, way, gl.CLAMP_TO_EDGE);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texStorage2D(gl.TEXTURE_2D, 1, internal, width, height);
    const whole = Math.floor(count / width), rest = count - whole * width;
    if (whole) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, whole, format, type, data);
    if (rest) {
      const last = data.subarray(whole * width * components);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, whole, rest, 1, format, type, last);
    }
    units.push(name);
  }
  function load() {
    const { vertices, faces } = scene;
    positions = new Float32Array(bytes('positions', 12 * vertices));
    texture('positions', positions, 3, [gl.RGB32F, gl.RGB, gl.FLOAT], vertices);
    const words = [gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT];
    texture('indices', new Uint32Array(bytes('indices', 12 * faces)), 1, words, 3 * faces);
    texture('normals', new Uint32Array(bytes('normals', 4 * vertices)), 1, words, vertices);
    const colours = { vertices, faces }[scene.colouring.kind];
    if (colours) {
      texture('colours', new Uint8Array(bytes('colours', 3 * colours)), 3, [gl.RGB8, gl.RGB, gl.UNSIGNED_BYTE], colours);
    }
    if (scene.colouring.kind === 'scalar') {
      const half = [gl.R16UI, gl.RED_INTEGER, gl.UNSIGNED_SHORT];
      texture('places', new Uint16Array(bytes('places', 2 * vertices)), 1, half, vertices);
      const scale = new Uint8Array(scene.colouring.scale.flat());
      texture('scaleColours', scale, 3, [gl.RGB8, gl.RGB, gl.UNSIGNED_BYTE], scale.length / 3);
      for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.LINEAR);
    }
    gl.bindVertexArray(gl.createVertexArray());
    gl.enable(gl.DEPTH_TEST);
  }
  function paint() {
    const dense = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map(x => Math.max(1, Math.round(x * dense)));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const { made, uniforms } = program(colouring);
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(made);
    units.forEach((name, unit) => gl.uniform1i(uniforms[name], unit));
    const [x, y, z] = axes();
    gl.uniformMatrix3fv(uniforms.turn, false, [x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]]);
    gl.uniform3fv(uniforms.target, camera.target);
    const slope = Math.tan(radians(FIELD_OF_VIEW / 2));
    const half = perspective ? slope : camera.height / 2;
    gl.uniform2f(uniforms.halfSize, half * width / height, half);
    const eye = perspective ? camera.height / 2 / slope : 0;
    // the mesh is in a sphere of radius 1 around the origin
    const far = 1.01 + length(camera.target);
    gl.uniform1f(uniforms.eye, eye);
    gl.uniform2f(uniforms.depth, Math.max(eye - far, eye * 1e-3), eye + far);
    gl.uniform1i(uniforms.smoothly, shade.flat ? 0 : 1);
    gl.uniform1f(uniforms.edges, shade.edges ? dense : 0);
    const colour = rgb => rgb.map(c => c / 255);
    gl.uniform3fv(uniforms.edgeColour, colour(scene.edge_colour));
    gl.uniform3fv(uniforms.plain, colour(scene.plain));
    gl.uniform3fv(uniforms.noValue, colour(scene.no_value));
    gl.drawArrays(gl.TRIANGLES, 0, 3 * scene.faces);
  }

  function pointers() {
    const held = new Map();
    const middle = () => {
      const all = [...held.values()];
      return [0, 1].map(k => all.reduce((sum, p) => sum + p[k], 0) / all.length);
    };
    const spread = () => {
      const all = [...held.values()];
      return all.length < 2 ? 0 : Math.hypot(all[0][0] - all[1][0], all[0][1] - all[1][1]);
    };
    const fromMiddle = ([x, y]) => {
      const box = canvas.getBoundingClientRect();
      return [x - box.left - box.width / 2, y - box.top - box.height / 2];
    };
    canvas.addEventListener('pointerdown', event => {
      canvas.setPointerCapture(event.pointerId);
      held.set(event.pointerId, [event.clientX, event.clientY]);
    });
    for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, event => held.delete(event.pointerId));
    canvas.addEventListener('pointermove', event => {
      if (!held.has(event.pointerId)) return;
      const [before, apart] = [middle(), spread()];
      held.set(event.pointerId, [event.clientX, event.clientY]);
      const now = middle();
      const [right, down] = [now[0] - before[0], now[1] - before[1]];
      if (held.size > 1) {
        pan(right, down);
        if (apart > 0) zoom(spread() / apart, ...fromMiddle(now));
      } else if (event.shiftKey || event.buttons & 6) {
        pan(right, down);
      } else {
        const degrees = 180 / Math.max(1, Math.min(canvas.clientWidth, canvas.clientHeight));
        rotate(right * degrees, down * degrees);
      }
    });
    canvas.addEventListener('wheel', event => {
      event.preventDefault();
      const pixels = event.deltaY * [1, 16, 400][event.deltaMode];
      zoom(Math.exp(-clamp(pixels, -400, 400) * 0.0015), ...fromMiddle([event.clientX, event.clientY]));
    }, { passive: false });
    canvas.addEventListener('contextmenu', event => event.preventDefault());
    canvas.addEventListener('dblclick', reset);
    const keys = {
      ArrowLeft: () => rotate(-10, 0), ArrowRight: () => rotate(10, 0),
      ArrowUp: () => rotate(0, -10), ArrowDown: () => rotate(0, 10),
      '+': () => zoom(1.2, 0, 0), '=': () => zoom(1.2, 0, 0), '-': () => zoom(1 / 1.2, 0, 0),
      r: reset, e: () => element('edges').click(), f: () => element('flat').click(),
    };
    canvas.addEventListener('keydown', event => {
      if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
    });
  }
  function toggle(id, pressed, change) {
    const button = element(id);
    const set = on => {
      button.setAttribute('aria-pressed', on);
      change(on);
    };
    button.addEventListener('click', () => set(button.getAttribute('aria-pressed') !== 'true'));
    set(pressed);
  }
  function controls() {
    const choice = element('colouring');
    const given = scene.colouring;
    const names = { plain: 'one colour', normals: 'normals', [given.kind]: given.name };
    for (const kind of new Set([given.kind, 'plain', 'normals'])) choice.add(new Option(names[kind], kind));
    choice.addEventListener('change', () => {
      colouring = choice.value;
      showLegend(colouring === 'scalar' && Boolean(scene.legend));
      draw();
    });
    toggle('edges', scene.edges, on => { shade.edges = on; draw(); });
    toggle('flat', scene.flat, on => { shade.flat = on; draw(); });
    toggle('perspective', scene.perspective, on => { perspective = on; draw(); });
    element('reset').addEventListener('click', reset);
  }
  /** Shows the legend beside the mesh, or gives its place to the mesh. */
  function showLegend(shown) {
    element('legend').hidden = !shown;
    canvas.classList.toggle('narrow', shown);
  }
  function legend() {
    if (!scene.legend) return;
    const box = element('legend'), scale = element('scale');
    box.querySelector('b').textContent = scene.legend.name;
    const stops = scene.colouring.scale.map(rgb => `rgb(${rgb.join(' ')})`);
    scale.style.background = `linear-gradient(to top, ${stops.join(', ')})`;
    for (const [place, text] of scene.legend.ticks) {
      const tick = document.createElement('span');
      tick.textContent = `– ${text}`;
      tick.style.bottom = `${100 * place}%`;
      scale.append(tick);
    }
    showLegend(true);
  }

  const words = key => key.replaceAll('_', ' ');
  const LISTED = 24;
  function text(value) {
    if (value === null || value === '') return '–';
    if (typeof value === 'number') {
      return Number.isInteger(value) ? value.toLocaleString('en') : String(Number(value.toPrecision(5)));
    }
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) {
      const shown = value.slice(0, LISTED).map(text).join(', ');
      return value.length > LISTED ? `${shown}, … (${value.length.toLocaleString('en')} in all)` : shown;
    }
    return Object.entries(value).map(([key, part]) => `${words(key)} ${text(part)}`).join(', ');
  }
  /** Rows of a table: name and value; what has parts gets a heading and rows of its own. */
  function rows(body, name, value, depth) {
    if (value === null || Array.isArray(value) && value.length === 0) return;
    const row = body.insertRow();
    const head = document.createElement('th');
    head.scope = 'row';
    head.textContent = words(name);
    head.style.paddingLeft = `${depth}em`;
    row.append(head);
    const timed = Array.isArray(value) && value.length > 0 && value.every(part => part && part.name);
    const parts = timed
      ? value.map(({ name, seconds, parts, ...others }) => [name, parts || (seconds === undefined ? others : seconds)])
      : value && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : null;
    if (!parts) {
      row.insertCell().textContent = name === 'arguments' ? value.join(' ') : text(value);
      return;
    }
    head.colSpan = 2;
    row.className = depth ? '' : 'part';
    parts.forEach(([key, part]) => rows(body, key, part, depth + 1));
  }
  function report() {
    const source = element('report');
    const button = element('show-report');
    if (!source) {
      button.hidden = true;
      return;
    }
    const table = document.createElement('table');
    const body = table.createTBody();
    Object.entries(JSON.parse(source.textContent)).forEach(([key, value]) => rows(body, key, value, 0));
    element('report-panel').append(table);
    toggle('show-report', false, on => { element('report-panel').hidden = !on; });
  }

  function begin() {
    element('title').textContent = scene.title;
    const count = (n, one, many) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
    element('sizes').textContent = `${count(scene.vertices, 'vertex', 'vertices')}, ${count(scene.faces, 'face', 'faces')}`;
    report();
    gl = canvas.getContext('webgl2', { antialias: true, alpha: true });
    if (!gl) return fail('This browser has no WebGL 2, which draws the mesh.');
    canvas.addEventListener('webglcontextlost', () => fail('The graphics driver has dropped the mesh: reload the page.'));
    load();
    controls();
    legend();
    pointers();
    let waiting = false;
    draw = () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        paint();
      });
    };
    new ResizeObserver(() => moved ? draw() : reset()).observe(canvas);
    reset();
    paint();
    const error = gl.getError();
    if (error) return fail(`WebGL error ${error}.`);
    element('message').hidden = true;
    page.dataset.state = 'ready';
  }
  // after the first frame, so that "Loading" is seen
  requestAnimationFrame(() => setTimeout(() => {
    try {
      begin();
    } catch (error) {
      fail(error.message);
      throw error;
    }
  }));
})();
