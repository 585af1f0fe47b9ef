(() => {
  const canvas = element('canvas');
  const page = document.documentElement;
  const ramps = Object.fromEntries(JSON.parse(element('ramps').textContent));
  const look = { light: true, range: [0, 1] };
  const numbers = statistics();
  const motion = motionClock(numbers);
  // what the server said, the socket, numbers of queries and views, and what is on its way
  let described = null, socket = null, lastQuery = 0, lastView = 0, tries = 0;
  let query = null, sent = null;
  // the expression that nobody has chosen, while it is shown
  let usual = null;
  const queries = new Map(), cameras = new Map();
  // the newest frame, the one before, and memory for others
  let shown = null, before = null;
  const free = [];
  let painter, orbiting, scale, box, slices, probe, mode = 0;

  function say(message) {
    element('message').textContent = message ?? '';
    element('message').hidden = !message;
  }
  const open = () => socket?.readyState === WebSocket.OPEN;
  const tell = message => { if (open()) socket.send(JSON.stringify(message)); };
  /** Asks for frames of the present query and view, and gives back credits. */
  function request(credits) {
    if (!open() || !query || !sent) return;
    const bytes = new DataView(new ArrayBuffer(12));
    bytes.setUint8(0, 1);
    bytes.setUint8(1, mode);
    bytes.setUint16(2, credits, true);
    bytes.setUint32(4, query.number, true);
    bytes.setUint32(8, sent.number, true);
    socket.send(bytes.buffer);
  }

  /** The camera as matrices: P, V from the world, and M from the sphere of radius 1 around the box. */
  function present() {
    const { camera } = orbiting;
    const [x, y, z] = orbiting.axes();
    const t = camera.target;
    const far = 1.01 + Math.hypot(...t);
    const away = camera.perspective ? camera.height / 2 / orbiting.slope : far + 0.05;
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const M = [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, t), -dot(y, t), -dot(z, t) - away, 1];
    const [near, end] = [Math.max(away - far, away * 1e-3), away + far];
    const aspect = canvas.width / canvas.height, deep = end - near;
    const P = camera.perspective
      ? [1 / orbiting.slope / aspect, 0, 0, 0, 0, 1 / orbiting.slope, 0, 0, 0, 0, -(end + near) / deep, -1, 0, 0, -2 * end * near / deep, 0]
      : [2 / camera.height / aspect, 0, 0, 0, 0, 2 / camera.height, 0, 0, 0, 0, -2 / deep, 0, 0, 0, -(end + near) / deep, 1];
    const slice = slices.plane();
    const plane = JSON.stringify(slice);
    return { M, P, slice, plane, radius: described.radius, key: [...M, ...P, canvas.width, canvas.height, plane].join() };
  }
  /** A camera of the sphere as one of the world: distances are those of the world, too. */
  function ofWorld({ M, P }) {
    const { middle, radius } = described;
    // P as if all lengths were greater by the radius
    const scaled = [...P];
    scaled[14] *= P[11] ? radius : 1;
    if (!P[11]) for (const k of [0, 5, 10]) scaled[k] /= radius;
    const V = [...M];
    for (let i = 0; i < 3; i++) {
      const moved = M[i] * middle[0] + M[4 + i] * middle[1] + M[8 + i] * middle[2];
      V[12 + i] = M[12 + i] * radius - moved;
    }
    return { V, P: scaled };
  }

  /** Sends the camera, if it is another one, and asks for its frame. */
  function lookFromHere(credits) {
    if (!open() || !query) return;
    const camera = present();
    if (camera.key !== sent?.camera.key && !held) {
      const { V, P } = ofWorld(camera);
      sent = { number: ++lastView, camera, at: performance.now(), waits: true };
      motion.sent(lastView);
      cameras.set(lastView, sent);
      if (cameras.size > 64) cameras.delete(cameras.keys().next().value);
      tell({ view: lastView, size: [canvas.width, canvas.height], V, P, depth: 16, ...camera.slice && { slice: camera.slice } });
    } else {
      // moves that led nowhere else
      if (camera.key === sent?.camera.key) motion.sent(sent.number);
      if (credits === null) return;
    }
    request(credits ?? 0);
  }

  function take(buffer) {
    const now = performance.now();
    const used = free.pop();
    const frame = frames.read(buffer, used);
    const of = cameras.get(frame.view);
    numbers.arrived(now, buffer.byteLength);
    // before the picture is drawn, so that the next frame is on its way meanwhile
    lookFromHere(1);
    if (!of || frame.query !== query?.number && shown) {
      // parts of triangles come once
      if (frame.mode === 3) painter.triangles.take(frame);
      if (used) free.push(used);
      return;
    }
    // points of the same step, expression and slice stay behind the new ones
    const same = shown?.memory && frame.mode === 2 && shown.frame.query === frame.query && shown.frame.step === frame.step && shown.camera.plane === of.camera.plane;
    if (before) free.push(before.memory);
    if (shown?.memory && !same) free.push(shown.memory);
    before = same ? shown : null;
    // triangles have memory of their own
    const memory = frame.mode === 2 ? painter.upload(frame, used) : null;
    if (!memory && used) free.push(used);
    if (!memory) painter.triangles.take(frame);
    const drawn = memory ? frame.count : painter.triangles.faces();
    shown = { frame, memory, camera: of.camera };
    scale.frame(frame);
    numbers.add('decode', performance.now() - now);
    Object.assign(numbers.facts, { points: drawn, mode: frame.mode, bytes: buffer.byteLength });
    element('time').textContent = described.moves ? `step ${frame.step}, time ${short(frame.time)}` : '';
    of.waits = false;
    motion.arrived(frame, now);
    page.dataset.frames = Number(page.dataset.frames ?? 0) + 1;
    page.dataset.shown = frame.query;
    page.dataset.mode = frame.mode;
    say(drawn ? null : 'Nothing is in view.');
    draw();
  }

  // held: whether no other view is asked for
  let waiting = false, later = 0, held = false;
  function draw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      paint();
    });
  }
  function paint() {
    const dense = window.devicePixelRatio || 1;
    const most = described?.limits.side ?? 4096;
    const size = [canvas.clientWidth, canvas.clientHeight].map(x => Math.min(most, Math.max(1, Math.round(x * dense))));
    painter.resize(...size);
    if (!described) return;
    Object.assign(look, { range: scale.range(), sphere: described });
    painter.paint(shown, before, present(), look);
    if (shown) motion.painted(painter.gl, shown.frame);
    // a new view at once if none is on its way, else after a tenth of a second
    if (!sent?.waits || performance.now() - sent.at > 100) lookFromHere(null);
    else later ||= setTimeout(() => { later = 0; lookFromHere(null); }, 100);
    page.dataset.state = shown ? 'ready' : page.dataset.state ?? '';
  }

  /** Asks for an expression; what is shown remains until its first frame. */
  function ask(text) {
    if (!open() || !text.trim() || text === query?.text) return;
    queries.set(++lastQuery, text);
    tell({ query: lastQuery, expr: text });
  }
  function answered(message) {
    const text = queries.get(message.query);
    queries.delete(message.query);
    page.dataset.answered = message.query;
    if (text === undefined || message.query < lastQuery) return;
    if (message.error) return box.complain(text, message);
    box.accept();
    query = { number: message.query, text };
    numbers.facts.tier = message.tier;
    scale.name(text);
    if (text !== usual) history.replaceState(null, '', `${location.pathname}${location.search}#${encodeURIComponent(text)}`);
    lookFromHere(0);
  }

  /** What is served, at the begin of a connection, or when it has changed. */
  function describe(message) {
    const [low, high] = message.box;
    const half = Math.hypot(...[0, 1, 2].map(k => (high[k] - low[k]) / 2));
    // a picture does not jump when its mesh moves: the first box that is not empty counts
    const fresh = !message.changed || described.empty;
    const middle = fresh ? [0, 1, 2].map(k => (low[k] + high[k]) / 2) : described.middle;
    const radius = fresh ? half || 1 : described.radius;
    const first = described === null, fit = first || described.empty;
    described = { ...message, middle, radius, empty: fresh && !half, corners: described?.corners };
    document.title = message.title;
    element('title').textContent = message.title;
    const counts = Object.entries(message.domain).filter(([key]) => key !== 'kind');
    element('sizes').textContent = counts.map(([what, n]) => `${n.toLocaleString('en')} ${what}`).join(', ');
    element('steps').hidden = !message.moves;
    numbers.facts.machine = message.machine;
    slices.describe(message);
    if (fit) {
      const corners = [];
      for (let i = 0; i < 8; i++) corners.push(...[0, 1, 2].map(k => ((i >> k & 1 ? high : low)[k] - middle[k]) / radius));
      described.corners = corners;
      if (first) lookAround(message.axes);
      orbiting.corners = corners;
      orbiting.fit(corners);
    }
    const names = message.fields.map(field => `${field.name} ${field.type} ${field.of}`).join();
    if (names !== page.dataset.fields) fieldList(message.fields, box.insert);
    page.dataset.fields = names;
    const scalar = message.fields.find(field => field.type === 'scalar');
    const vector = message.fields.find(field => field.type === 'vector');
    const best = scalar ? scalar.name : vector ? `mag(${vector.name})` : '1';
    if (message.changed) {
      // the expression stays, unless nobody has chosen it
      if (usual !== null && usual !== best && query?.text === usual) box.set(usual = best);
      return;
    }
    const chosen = usual !== null && query?.text === usual ? '' : query?.text ?? decodeURIComponent(location.hash.slice(1));
    usual = chosen ? null : best;
    query = null;
    box.set(chosen || best);
  }
  /** The camera, for the directions right, up and towards the viewer. */
  function lookAround(axes) {
    orbiting = orbit(canvas, { axes, azimuth: -30, elevation: 20 }, () => { motion.moved(); draw(); });
    orbiting.corners = described.corners;
    orbiting.camera.perspective = true;
    const reset = () => orbiting.fit(described.corners);
    orbiting.listen({ r: reset });
    canvas.addEventListener('dblclick', reset);
    element('reset').addEventListener('click', reset);
    toggle('perspective', true, on => { orbiting.camera.perspective = on; draw(); });
  }

  const pings = new Map();
  let lastPing = 0;
  function ping() {
    pings.set(++lastPing, performance.now());
    tell({ ping: lastPing });
  }
  function hear(message) {
    if (message.version) describe(message);
    else if (message.query !== undefined) answered(message);
    else if (message.probe !== undefined) probe.found(message);
    else if (message.pong !== undefined) numbers.facts.trip = performance.now() - pings.get(message.pong);
    else if (message.credits === 0) request(2);
    else if (message.because) numbers.facts.because = message.because;
    else if (message.error) say(message.error.message);
    if (message.pong !== undefined) pings.delete(message.pong);
  }
  function connect() {
    const address = new URL('frames', location.href);
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    address.search = location.search;
    address.hash = '';
    socket = new WebSocket(address);
    socket.binaryType = 'arraybuffer';
    sent = null;
    lastQuery = lastView = 0;
    cameras.clear();
    queries.clear();
    motion.begin();
    // numbers begin again
    if (shown) shown.frame.query = -1;
    socket.addEventListener('open', () => {
      if (!described) say('Connected. The program answers between two steps…');
      tell({ hello: 1 });
      ping();
    });
    socket.addEventListener('message', ({ data }) => {
      tries = 0;
      try {
        if (typeof data === 'string') hear(JSON.parse(data));
        else take(data);
      } catch (error) {
        say(error.message);
        throw error;
      }
    });
    socket.addEventListener('close', ({ reason }) => {
      page.dataset.state = 'lost';
      say(`${reason || 'The connection is lost.'} Trying again…`);
      setTimeout(connect, Math.min(10000, 500 * 2 ** tries++));
    });
  }

  /** The value at a pixel of the canvas, and the query, the view and the pixel that have the exact one; or nothing. */
  function seenAt(column, row) {
    const found = shown && open() ? painter.find(column, row) : -1;
    if (found < 0) return null;
    const { frame } = shown;
    if (frame.mode === 3) {
      const here = sent?.camera.key === present().key;
      return { value: frames.number(frame, found), asked: here && { query: frame.query, view: sent.number, pixel: [column, row] } };
    }
    const pixel = frame.pixels[found];
    const asked = { query: frame.query, view: frame.view, pixel: [pixel % frame.width, Math.floor(pixel / frame.width)] };
    return { value: frames.number(frame, frame.values[found]), asked };
  }

  function begin() {
    painter = pointPainter(canvas);
    canvas.addEventListener('webglcontextlost', () => say('The graphics driver has dropped the picture: reload the page.'));
    scale = colourScale(ramps, () => { painter.ramp(scale.colours()); draw(); });
    painter.ramp(scale.colours());
    box = expressionBox(ask);
    probe = probeUnderMouse(canvas, seenAt, tell);
    element('mode').addEventListener('change', ({ target }) => {
      mode = Number(target.value);
      numbers.facts.because = mode ? 'it is chosen here' : undefined;
      request(0);
    });
    slices = slicePlane(draw, () => orbiting.axes()[2]);
    toggle('light', true, on => { look.light = on; draw(); });
    for (const word of ['play', 'pause', 'step']) element(word).addEventListener('click', () => tell({ control: word }));
    new ResizeObserver(() => {
      if (orbiting && !orbiting.camera.moved) orbiting.fit(described.corners);
      else draw();
    }).observe(canvas);
    setInterval(ping, 5000);
    setInterval(() => numbers.show(performance.now()), 500);
    // for tests
    window.live = {
      shown: () => shown && shown.frame.query === query?.number ? query.text : null,
      settled: () => shown?.frame.query === query?.number && (shown.frame.mode === 3 ? shown.camera.plane === present().plane : shown.camera.key === present().key),
      camera: () => ofWorld(present()),
      hold: on => { held = on; draw(); },
      measured: null,
    };
    connect();
  }
  try {
    begin();
  } catch (error) {
    say(error.message);
    page.dataset.state = 'failed';
    throw error;
  }
})();
