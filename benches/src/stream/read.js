/** Milliseconds in which the page's scripts read frames, and hand them to WebGL, of one to three fields. */
async (address, queries, views) => {
  const SETS = 10;
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
  const times = [];
  let turn = 0;
  for (let fields = 1; fields <= queries.length; fields++) {
    let reading = 0, uploading = 0, memory;
    // the first set is compiled
    for (let set = 0; set <= SETS; set++) {
      for (let query = 1; query <= fields; query++) {
        const buffer = await frame(query, 1 + turn++ % 2);
        const begin = performance.now();
        const read = frames.read(buffer);
        const middle = performance.now();
        memory = painter.upload(read, memory);
        painter.gl.finish();
        const end = performance.now();
        if (set) reading += middle - begin;
        if (set) uploading += end - middle;
      }
    }
    times.push([reading / SETS, uploading / SETS]);
  }
  socket.close();
  return times;
}
