/** Four by four matrices, column by column, in double precision. */
const matrices = {
  times(a, b) {
    const c = new Float64Array(16);
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j < 4; j++) {
        let sum = 0;
        for (let k = 0; k < 4; k++) sum += a[4 * k + i] * b[4 * j + k];
        c[4 * j + i] = sum;
      }
    }
    return c;
  },
  /** By Gauss and Jordan, with pivots. */
  inverse(m) {
    const rows = [0, 1, 2, 3].map(i => [0, 1, 2, 3, 4, 5, 6, 7].map(j => j < 4 ? m[4 * j + i] : Number(j - 4 === i)));
    for (let k = 0; k < 4; k++) {
      let pivot = k;
      for (let i = k; i < 4; i++) if (Math.abs(rows[i][k]) > Math.abs(rows[pivot][k])) pivot = i;
      [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
      const head = rows[k][k];
      rows[k] = rows[k].map(x => x / head);
      for (let i = 0; i < 4; i++) {
        const factor = rows[i][k];
        if (i !== k) rows[i] = rows[i].map((x, j) => x - factor * rows[k][j]);
      }
    }
    const inverse = new Float64Array(16);
    for (let i = 0; i < 4; i++) for (let j = 0; j < 4; j++) inverse[4 * j + i] = rows[i][j + 4];
    return inverse;
  },
};

/** Draws the points or the triangles of frames with WebGL 2, from any camera. */
function pointPainter(canvas) {
  const gl = canvas.getContext('webgl2', { antialias: false, alpha: true, preserveDrawingBuffer: false });
  if (!gl) throw new Error('This browser has no WebGL 2, which draws the points.');
  const text = id => document.getElementById(id).textContent.trim();

  function program(vertex, fragment) {
    const made = gl.createProgram();
    const parts = [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]].map(([kind, id]) => {
      const part = gl.createShader(kind);
      gl.shaderSource(part, text(id));
      gl.compileShader(part);
      gl.attachShader(made, part);
      return part;
    });
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) {
      const logs = [...parts.map(part => gl.getShaderInfoLog(part)), gl.getProgramInfoLog(made)];
      throw new Error(`The shaders do not compile: ${logs.join(' ')}`);
    }
    const uniforms = {};
    for (let i = gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS) - 1; i >= 0; i--) {
      const { name } = gl.getActiveUniform(made, i);
      uniforms[name] = gl.getUniformLocation(made, name);
    }
    return { made, uniforms };
  }
  const points = program('point-vertex', 'point-fragment');
  const light = program('light-vertex', 'light-fragment');
  const triangles = trianglePainter(gl, program);
  const NO_VALUE = [0.62, 0.62, 0.62];

  const textures = { colours: gl.createTexture(), found: gl.createTexture(), depths: gl.createTexture(), ramp: gl.createTexture() };
  const target = gl.createFramebuffer();
  function nearest(texture) {
    gl.bindTexture(gl.TEXTURE_2D, texture);
    for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST);
    for (const way of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, way, gl.CLAMP_TO_EDGE);
  }
  /** The picture that the points are drawn into before they are lit. */
  function resize(width, height) {
    if (canvas.width === width && canvas.height === height && resize.done) return;
    Object.assign(canvas, { width, height });
    resize.done = true;
    const image = (texture, internal, format, type) => {
      nearest(texture);
      gl.texImage2D(gl.TEXTURE_2D, 0, internal, width, height, 0, format, type, null);
    };
    image(textures.colours, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE);
    image(textures.found, gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT);
    image(textures.depths, gl.DEPTH_COMPONENT32F, gl.DEPTH_COMPONENT, gl.FLOAT);
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    const attach = (place, texture) => gl.framebufferTexture2D(gl.FRAMEBUFFER, place, gl.TEXTURE_2D, texture, 0);
    attach(gl.COLOR_ATTACHMENT0, textures.colours);
    attach(gl.COLOR_ATTACHMENT1, textures.found);
    attach(gl.DEPTH_ATTACHMENT, textures.depths);
    gl.drawBuffers([gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1]);
  }
  function ramp(colours) {
    gl.activeTexture(gl.TEXTURE0);
    nearest(textures.ramp);
    for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.LINEAR);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB8, colours.length, 1, 0, gl.RGB, gl.UNSIGNED_BYTE, new Uint8Array(colours.flat()));
  }
  // the numbers of all pixels, which frames share that are seen whole
  const whole = { buffer: gl.createBuffer(), count: 0 };
  /** Puts a frame into memory of the graphics card; `used` is memory of a frame that is not shown any more. */
  function upload(frame, used) {
    const into = used || { vertices: gl.createVertexArray(), buffers: [0, 1, 2].map(() => gl.createBuffer()), room: [0, 0, 0] };
    gl.bindVertexArray(into.vertices);
    const point = (location, buffer, pointer) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(location);
      pointer(location);
    };
    const put = (location, data, pointer) => {
      point(location, into.buffers[location], pointer);
      // new memory costs more than a copy, and frames are rarely equally long
      if (data.byteLength > into.room[location]) {
        into.room[location] = Math.ceil(1.25 * data.byteLength);
        gl.bufferData(gl.ARRAY_BUFFER, into.room[location], gl.STREAM_DRAW);
      }
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, data);
    };
    const numbers = at => gl.vertexAttribIPointer(at, 1, gl.UNSIGNED_INT, 0, 0);
    if (frame.isWhole) {
      point(0, whole.buffer, numbers);
      if (whole.count < frame.count) gl.bufferData(gl.ARRAY_BUFFER, frame.pixels, gl.STATIC_DRAW);
      whole.count = Math.max(whole.count, frame.count);
    } else if (frame.kept) {
      point(0, into.buffers[0], numbers);
    } else {
      put(0, frame.pixels, numbers);
      // places of a list are the frame's own
      Object.assign(into, frame.sparse ? { bits: null } : { pixels: frame.pixels, bits: frame.bits.slice() });
    }
    put(1, frame.values, at => gl.vertexAttribPointer(at, 1, gl.UNSIGNED_SHORT, false, 0, 0));
    const half = frame.depthBits === 16;
    put(2, frame.depths, at => gl.vertexAttribPointer(at, 1, half ? gl.UNSIGNED_SHORT : gl.FLOAT, half, 0, 0));
    gl.bindVertexArray(null);
    return into;
  }
  /** The distances of depths 0 and 1 in the sphere, the second less the first; then 0 for window depths. */
  function depthScale({ linear, depthBits, distances: [least, greatest] }, radius) {
    if (!linear) return [0, 1, 0];
    return depthBits === 16 ? [least / radius, (greatest - least) / radius, 1] : [0, 1 / radius, 1];
  }
  /** The place of a number on the ramp, from 0 to 1. */
  function onRamp({ range: [low, high] }) {
    return x => high > low ? (x - low) / (high - low) : 0.5;
  }
  function drawPoints({ frame, memory, camera }, now, look, behind, first) {
    const { uniforms } = points;
    gl.uniform2ui(uniforms.size, frame.width, frame.height);
    gl.uniformMatrix4fv(uniforms.back, false, new Float32Array(matrices.inverse(matrices.times(camera.P, camera.M))));
    gl.uniform4f(uniforms.depthRows, camera.P[10], camera.P[14], camera.P[11], camera.P[15]);
    gl.uniform3fv(uniforms.depthScale, depthScale(frame, camera.radius));
    gl.uniformMatrix4fv(uniforms.forth, false, new Float32Array(matrices.times(now.P, now.M)));
    const same = camera.key === now.key;
    const zoom = canvas.height / frame.height * (now.P[5] / camera.P[5]);
    gl.uniform1f(uniforms.spread, same ? zoom : 1.5 * zoom);
    gl.uniform1f(uniforms.behind, behind);
    const place = onRamp(look);
    gl.uniform2f(uniforms.ends, place(frame.minimum), place(frame.maximum));
    gl.uniform1ui(uniforms.first, first);
    gl.bindVertexArray(memory.vertices);
    gl.drawArrays(gl.POINTS, 0, frame.count);
  }
  /**
   * Draws the newest frame, and behind it the one before, which fills holes that the camera's move has opened.
   * A frame has the camera that it was made for: P, M from the sphere of radius 1 to the camera, and the radius
   * of that sphere in the world.
   */
  function paint(shown, before, now, look) {
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearBufferfv(gl.COLOR, 0, [0, 0, 0, 0]);
    gl.clearBufferuiv(gl.COLOR, 1, [0, 0, 0, 0]);
    gl.clearBufferfv(gl.DEPTH, 0, [1]);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    if (shown?.frame.mode === 3) {
      triangles.draw(now, look.sphere, onRamp(look), NO_VALUE, textures.ramp);
    } else if (shown) {
      gl.useProgram(points.made);
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, textures.ramp);
      gl.uniform1i(points.uniforms.ramp, 0);
      gl.uniform3fv(points.uniforms.noValue, NO_VALUE);
      if (before && shown.camera.key !== now.key) drawPoints(before, now, look, 0.004, 0);
      drawPoints(shown, now, look, 0, 1);
      gl.bindVertexArray(null);
    }

    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.disable(gl.DEPTH_TEST);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.useProgram(light.made);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, textures.colours);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, textures.depths);
    gl.uniform1i(light.uniforms.colours, 0);
    gl.uniform1i(light.uniforms.depths, 1);
    gl.uniform4f(light.uniforms.depthRows, now.P[10], now.P[14], now.P[11], now.P[15]);
    gl.uniform2f(light.uniforms.across, now.P[0], now.P[5]);
    gl.uniform1f(light.uniforms.strength, look.light ? 1 : 0);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }
  /**
   * The number of the newest frame's point at a pixel of the canvas, from the left and from below, or the value of
   * triangles there; -1 where there is nothing.
   */
  function find(x, y) {
    const number = new Uint32Array(4);
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    gl.readBuffer(gl.COLOR_ATTACHMENT1);
    gl.readPixels(x, y, 1, 1, gl.RGBA_INTEGER, gl.UNSIGNED_INT, number);
    gl.readBuffer(gl.COLOR_ATTACHMENT0);
    return number[0] - 1;
  }
  return { gl, resize, ramp, upload, paint, find, triangles };
}
