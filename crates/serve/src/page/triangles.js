/** Draws triangles with WebGL 2. Tables are textures, since values may be of triangles. */
function trianglePainter(gl, program) {
  const WIDTH = 4096;
  const { made, uniforms } = program('triangle-vertex', 'triangle-fragment');
  const tables = { corners: gl.createTexture(), places: gl.createTexture(), values: gl.createTexture() };
  let count = 0, box = null, ofFaces = false, range = null;

  /** Puts numbers into a texture, `width` of them in an entry. */
  function put(texture, numbers, width, internal, format, type) {
    const entries = numbers.length / width, rows = Math.ceil(entries / WIDTH);
    if (rows > gl.getParameter(gl.MAX_TEXTURE_SIZE)) throw new Error('There are more triangles than this graphics card takes.');
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texImage2D(gl.TEXTURE_2D, 0, internal, WIDTH, Math.max(rows, 1), 0, format, type, null);
    const whole = Math.floor(entries / WIDTH), rest = entries - whole * WIDTH;
    if (whole) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, WIDTH, whole, format, type, numbers);
    if (rest) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, whole, rest, 1, format, type, numbers.subarray(whole * WIDTH * width));
  }
  /** Takes what a frame has; the rest stays. */
  function take(frame) {
    if (frame.faces) {
      put(tables.corners, frame.faces, 1, gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT);
      count = frame.faces.length;
    }
    if (frame.places) {
      put(tables.places, frame.places.numbers, 3, gl.RGB16UI, gl.RGB_INTEGER, gl.UNSIGNED_SHORT);
      box = frame.places;
    }
    put(tables.values, frame.values, 1, gl.R16UI, gl.RED_INTEGER, gl.UNSIGNED_SHORT);
    ofFaces = frame.ofFaces;
    range = frame;
  }
  /** Draws them; `sphere` has the middle and the radius of the sphere of the camera, `ends` the range on the ramp. */
  function draw(now, { middle, radius }, ends, noValue, ramp) {
    gl.useProgram(made);
    const bind = (unit, name, texture) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.uniform1i(uniforms[name], unit);
    };
    bind(0, 'ramp', ramp);
    bind(1, 'corners', tables.corners);
    bind(2, 'places', tables.places);
    bind(3, 'values', tables.values);
    gl.uniform1i(uniforms.ofFaces, ofFaces ? 1 : 0);
    gl.uniform3fv(uniforms.low, box.low.map((x, k) => (x - middle[k]) / radius));
    gl.uniform3fv(uniforms.span, box.high.map((x, k) => (x - box.low[k]) / radius));
    gl.uniformMatrix4fv(uniforms.forth, false, new Float32Array(matrices.times(now.P, now.M)));
    gl.uniform2f(uniforms.ends, ends(range.minimum), ends(range.maximum));
    gl.uniform3fv(uniforms.noValue, noValue);
    gl.drawArrays(gl.TRIANGLES, 0, count);
  }
  return { take, draw, faces: () => count / 3 };
}
