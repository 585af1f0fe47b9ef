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
  // kinds of pictures, each with memory of its own, and their views in turns: a picture that is seen whole, one with
  // a margin that is another one each time, and one with the same margin. Nothing is due that was the last answer
  const kinds = [[1], [2, 3], [4]];
  const all = [];
  for (let fields = 1; fields <= queries.length; fields++) {
    const memory = kinds.map(() => []), times = kinds.map(() => ({ reading: [], uploading: [] }));
    // the first sets are compiled
    for (let set = -30; set < SETS * kinds.length; set++) {
      const kind = (set + 30) % kinds.length, turn = Math.floor((set + 30) / kinds.length);
      const view = kinds[kind][turn % kinds[kind].length];
      let reading = 0, uploading = 0;
      for (let query = 1; query <= fields; query++) {
        const buffer = await frame(query, view), used = memory[kind];
        const begin = performance.now();
        const read = frames.read(buffer, used[query]);
        const middle = performance.now();
        used[query] = painter.upload(read, used[query]);
        painter.gl.finish();
        const end = performance.now();
        reading += middle - begin;
        uploading += end - middle;
      }
      if (set >= 0) times[kind].reading.push(reading);
      if (set >= 0) times[kind].uploading.push(uploading);
    }
    all.push(times.map(({ reading, uploading }) => [percentiles(reading), percentiles(uploading)]));
  }
  socket.close();
  return all;
}
