/** Milliseconds in which the page's scripts read frames, and hand them to WebGL, of one to three fields. */
async (address, queries, views) => {
  const SETS = 60;
  const percentiles = times => {
    const sorted = times.sort((a, b) => a - b);
    return [0.5, 0.95].map(share => sorted[Math.floor(share * sorted.length)]);
  };
  const socket = new window.Socket(address);
  socket.binaryType = 'arraybuffer';
  const arrived = [], waiting = [];
  socket.onmessage = ({ data }) => {
    if (typeof data === 'string') return;
    if (waiting.length) waiting.shift()(data);
    else arrived.push(data);
  };
  await new Promise((done, failed) => { socket.onopen = done; socket.onerror = failed; });
  const tell = message => socket.send(JSON.stringify(message));
  [{ hello: 1, credits: 0 }, ...queries, ...views].forEach(tell);
  const frame = (query, view) => {
    const bytes = new DataView(new ArrayBuffer(12));
    bytes.setUint8(0, 1);
    bytes.setUint8(1, 2);
    bytes.setUint16(2, 1, true);
    bytes.setUint32(4, query, true);
    bytes.setUint32(8, view, true);
    socket.send(bytes.buffer);
    return arrived.length ? Promise.resolve(arrived.shift()) : new Promise(done => waiting.push(done));
  };
  const painter = pointPainter(document.createElement('canvas'));
  // the views in turns: nothing is due that was the last answer
  const all = [];
  for (let fields = 1; fields <= queries.length; fields++) {
    const memory = [], times = views.map(() => ({ reading: [], uploading: [] }));
    // the first sets are compiled
    for (let set = -10; set < SETS; set++) {
      const view = (set + 10) % views.length;
      let reading = 0, uploading = 0;
      for (let query = 1; query <= fields; query++) {
        const buffer = await frame(query, 1 + view);
        const begin = performance.now();
        const read = frames.read(buffer, memory[view]?.pixels);
        const middle = performance.now();
        memory[view] = painter.upload(read, memory[view]);
        painter.gl.finish();
        const end = performance.now();
        reading += middle - begin;
        uploading += end - middle;
      }
      if (set >= 0) times[view].reading.push(reading);
      if (set >= 0) times[view].uploading.push(uploading);
    }
    all.push(times.map(({ reading, uploading }) => [percentiles(reading), percentiles(uploading)]));
  }
  socket.close();
  return all;
}
