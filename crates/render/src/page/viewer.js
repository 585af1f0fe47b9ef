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

  let draw = () => {};
  let positions = null;
  const view = orbit(canvas, scene.view, () => draw());
  const { camera, axes } = view;
  camera.perspective = scene.perspective;
  const reset = () => view.fit(positions);
  const length = v => Math.hypot(...v);

  const shade = { edges: scene.edges, flat: scene.flat };
  let gl = null;
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
    const slope = view.slope;
    const half = camera.perspective ? slope : camera.height / 2;
    gl.uniform2f(uniforms.halfSize, half * width / height, half);
    const eye = camera.perspective ? camera.height / 2 / slope : 0;
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
    toggle('perspective', scene.perspective, on => { camera.perspective = on; draw(); });
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
    view.listen({ r: reset, e: () => element('edges').click(), f: () => element('flat').click() });
    canvas.addEventListener('dblclick', reset);
    let waiting = false;
    draw = () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        paint();
      });
    };
    new ResizeObserver(() => camera.moved ? draw() : reset()).observe(canvas);
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
