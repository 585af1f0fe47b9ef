/** Reading frames: 64 bytes of header, then three parts, each padded to eight bytes. */
const frames = (() => {
  const HEADER = 64;

  function header(buffer) {
    const view = new DataView(buffer);
    if (buffer.byteLength < HEADER || view.getUint32(0, true) !== 0x31464d52) throw new Error('These bytes are no frame.');
    const flags = view.getUint8(7);
    return {
      mode: view.getUint8(4), valueBits: view.getUint8(5), depthBits: view.getUint8(6),
      complete: (flags & 1) !== 0, sparse: (flags & 2) !== 0, linear: (flags & 8) !== 0, ofFaces: (flags & 16) !== 0,
      query: view.getUint32(8, true), view: view.getUint32(12, true),
      step: view.getBigUint64(16, true), time: view.getFloat64(24, true),
      minimum: view.getFloat32(32, true), maximum: view.getFloat32(36, true),
      width: view.getUint16(40, true), height: view.getUint16(42, true), count: view.getUint32(44, true),
      parts: [48, 52, 56].map(at => view.getUint32(at, true)), age: view.getUint32(60, true) / 1000,
    };
  }
  // the numbers of all pixels, of the largest picture so far
  let whole = new Uint32Array(0);
  function all(count) {
    if (whole.length < count) whole = Uint32Array.from({ length: count }, (_, pixel) => pixel);
    return whole.subarray(0, count);
  }
  /** The numbers of the pixels whose bits are set, in memory that is used again. */
  function expand(words, count, used) {
    const numbers = all(32 * words.length);
    const memory = used?.buffer.byteLength >= 4 * count ? used.buffer : new ArrayBuffer(4 * numbers.length);
    const pixels = new Uint32Array(memory, 0, count);
    // the points so far, and where the present run of pixels began
    let end = 0, begin = -1;
    const add = stop => {
      const length = stop - begin;
      if (end + length > count) throw new Error(`A frame has more points than ${count}.`);
      // short runs are not worth a call
      if (length > 32) pixels.set(numbers.subarray(begin, stop), end);
      else for (let i = 0; i < length; i++) pixels[end + i] = begin + i;
      end += length;
      begin = -1;
    };
    for (let k = 0; k < words.length; k++) {
      // the bits that differ from the one before
      let changes = words[k] ^ (words[k] << 1 | (begin < 0 ? 0 : 1));
      while (changes) {
        const pixel = (k << 5) + 31 - Math.clz32(changes & -changes);
        if (begin < 0) begin = pixel;
        else add(pixel);
        changes &= changes - 1;
      }
    }
    if (begin >= 0) add(numbers.length);
    if (end !== count) throw new Error(`A frame has ${end} points instead of ${count}.`);
    return pixels;
  }
  /** Triangles: values, and the parts that this page lacks. Places are numbers between the ends of a box. */
  function triangles(buffer, head, [a, b, c]) {
    const at = [HEADER, HEADER + a, HEADER + a + b];
    const wrong = () => { throw new Error('Triangles have parts of other lengths than their header says.'); };
    if (at[2] + c !== buffer.byteLength || 2 * head.count > b || c > 0 && c < 56) wrong();
    const faces = a || head.complete ? new Uint32Array(buffer, at[0], Math.floor(a / 12) * 3) : null;
    let places = null;
    if (c) {
      const vertices = new Uint32Array(buffer, at[2], 1)[0];
      if (56 + 6 * vertices > c) wrong();
      const box = new Float64Array(buffer, at[2] + 8, 6);
      places = { low: [...box.slice(0, 3)], high: [...box.slice(3)], numbers: new Uint16Array(buffer, at[2] + 56, 3 * vertices) };
    }
    return { ...head, values: new Uint16Array(buffer, at[1], head.count), faces, places };
  }
  /** Whether two bitmaps of one length are the same. */
  function same(a, b) {
    let k = 0;
    while (k < a.length && a[k] === b[k]) k++;
    return k === a.length;
  }
  /**
   * The header and three arrays with an entry for each point. Only the bitmap is worked on, and only where not all
   * pixels are seen. `used` has the bitmap and the numbers of pixels of a frame that is not shown any more; `kept`
   * is whether they are those of this frame, as of steps that are seen by a camera at rest.
   */
  function read(buffer, used) {
    const head = header(buffer);
    if (head.mode === 3) return triangles(buffer, head, head.parts);
    if (head.mode !== 2 || head.valueBits !== 16) throw new Error(`Frames of mode ${head.mode} are not known to this page.`);
    const [a, b, c] = head.parts;
    const at = [HEADER, HEADER + a, HEADER + a + b];
    const { count, depthBits } = head;
    const depthBytes = depthBits / 8;
    const words = head.sparse ? count : Math.ceil(head.width * head.height / 32);
    if (at[2] + c !== buffer.byteLength || 4 * words > a || 2 * count > b || 8 + depthBytes * count > c) {
      throw new Error('A frame has parts of other lengths than its header says.');
    }
    const first = new Uint32Array(buffer, at[0], words);
    const isWhole = count === head.width * head.height;
    const kept = !head.sparse && !isWhole && used?.bits?.length === words && used.pixels.length === count && same(used.bits, first);
    const pixels = head.sparse ? first : isWhole ? all(count) : kept ? used.pixels : expand(first, count, used?.pixels);
    const values = new Uint16Array(buffer, at[1], count);
    // the least and the greatest distance, then the depths
    const distances = new Float32Array(buffer, at[2], 2);
    const depths = new (depthBits === 16 ? Uint16Array : Float32Array)(buffer, at[2] + 8, count);
    return { ...head, isWhole, kept, bits: first, pixels, values, distances, depths };
  }
  /** The number that a value of 16 bits stands for. */
  function number({ minimum, maximum }, value) {
    return value === 65535 ? NaN : minimum + (maximum - minimum) * (value / 65534);
  }
  /** The numbers below which these shares of the values are. */
  function percentiles(frame, shares) {
    const counts = new Uint32Array(65536);
    for (const value of frame.values) counts[value]++;
    const all = frame.count - counts[65535];
    return shares.map(share => {
      let value = 0;
      for (let below = counts[0]; below <= share * all && value < 65534;) below += counts[++value];
      return number(frame, value);
    });
  }
  return { read, number, percentiles };
})();
