/**
 * The value under the mouse: at once from the frame, then exactly from the server. `seenAt` gives the value at a
 * pixel, and the question for the exact one.
 */
function probeUnderMouse(canvas, seenAt, tell) {
  const output = element('probe');
  let timer = 0, last = 0;
  function hide() {
    clearTimeout(timer);
    output.hidden = true;
  }
  canvas.addEventListener('pointermove', event => {
    hide();
    if (event.buttons) return;
    const place = canvas.getBoundingClientRect();
    const at = [event.clientX - place.left, event.clientY - place.top];
    const dense = canvas.width / Math.max(place.width, 1);
    timer = setTimeout(() => show(at, Math.floor(at[0] * dense), canvas.height - 1 - Math.floor(at[1] * dense)), 60);
  });
  canvas.addEventListener('pointerleave', hide);
  canvas.addEventListener('pointerdown', hide);
  function show([x, y], column, row) {
    const seen = seenAt(column, row);
    if (!seen) return;
    output.textContent = short(seen.value);
    output.style.left = `${Math.min(x + 14, canvas.clientWidth - 130)}px`;
    output.style.top = `${Math.max(y - 34, 4)}px`;
    output.hidden = false;
    if (seen.asked) tell({ probe: ++last, ...seen.asked });
  }
  function found({ probe: number, value, position, ...others }) {
    if (number !== last || output.hidden || value === null) return;
    const elements = Object.entries(others).map(([kind, element]) => `${kind} ${element}`);
    output.textContent = [short(Number(value), 9), ...elements, position.map(x => short(x, 6)).join(', ')].join('\n');
    document.documentElement.dataset.probed = value;
  }
  return { found };
}
