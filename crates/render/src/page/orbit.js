'use strict';
/**
 * A camera that turns around a point, and what moves it: mouse, fingers, keys. What is seen is in the sphere of
 * radius 1 around the origin. `start` has the first azimuth and elevation and the directions right, up and
 * towards the viewer; `changed` is called after each move.
 */
function orbit(canvas, start, changed) {
  const FIELD_OF_VIEW = 30;
  const FILL = 0.94;
  const radians = degrees => degrees * Math.PI / 180;
  const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
  const slope = Math.tan(radians(FIELD_OF_VIEW / 2));
  // moved: whether the reader has moved the camera since it saw everything
  const camera = { azimuth: 0, elevation: 0, height: 2, target: [0, 0, 0], perspective: false, moved: false };

  /** The camera's axes: right, up, and towards the viewer. */
  function axes() {
    const [a, e] = [radians(camera.azimuth), radians(camera.elevation)];
    const [sa, ca, se, ce] = [Math.sin(a), Math.cos(a), Math.sin(e), Math.cos(e)];
    const [right, up, front] = start.axes;
    const turned = [[ca, 0, -sa], [-sa * se, ce, -ca * se], [sa * ce, se, ca * ce]];
    return turned.map(v => [0, 1, 2].map(i => v[0] * right[i] + v[1] * up[i] + v[2] * front[i]));
  }
  /** The view of the beginning, in which these positions, three numbers each, fill the picture. */
  function fit(positions) {
    camera.moved = false;
    Object.assign(camera, { azimuth: start.azimuth, elevation: start.elevation });
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
    if (camera.perspective) camera.height += size[2] * slope;
    const middle = [0, 1, 2].map(k => (low[k] + high[k]) / 2);
    camera.target = [0, 1, 2].map(i => turn[0][i] * middle[0] + turn[1][i] * middle[1] + turn[2][i] * middle[2]);
    changed();
  }
  function rotate(right, down) {
    camera.moved = true;
    camera.azimuth = (camera.azimuth - right) % 360;
    camera.elevation = clamp(camera.elevation + down, -90, 90);
    changed();
  }
  /** Moves the mesh by pixels. */
  function pan(right, down) {
    camera.moved = true;
    const [x, y] = axes();
    const unit = camera.height / Math.max(canvas.clientHeight, 1);
    camera.target = camera.target.map((t, i) => t + (down * y[i] - right * x[i]) * unit);
    changed();
  }
  /** Zooms in around a point, in pixels from the middle. */
  function zoom(factor, right, down) {
    const before = camera.height;
    camera.height = clamp(before / factor, 1e-5, 50);
    const kept = before / camera.height;
    pan(right * (1 - kept), down * (1 - kept));
  }
  /** Listens to mouse, fingers and keys; `more` has keys of the page's own. */
  function listen(more) {
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
    const keys = {
      ArrowLeft: () => rotate(-10, 0), ArrowRight: () => rotate(10, 0),
      ArrowUp: () => rotate(0, -10), ArrowDown: () => rotate(0, 10),
      '+': () => zoom(1.2, 0, 0), '=': () => zoom(1.2, 0, 0), '-': () => zoom(1 / 1.2, 0, 0),
      ...more,
    };
    canvas.addEventListener('keydown', event => {
      if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
    });
  }
  return { camera, slope, axes, fit, rotate, pan, zoom, listen };
}
