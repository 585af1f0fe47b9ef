/**
 * The plane that is seen instead of a volume's surface. `changed` is called when it moves; `facing` says the
 * direction towards the viewer.
 */
function slicePlane(changed, facing) {
  const choice = element('slice-plane'), slider = element('slice-at'), output = element('slice-place');
  const axes = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };
  // `given`: the offset that the source begins with, until the plane is moved
  let box = null, normal = null, fresh = true, given = null;

  /** The offsets between which the plane meets the box; a little within it. */
  function ends() {
    const along = [0, 1, 2].map(k => [0, 1].map(end => box[end][k] * normal[k]));
    const ends = [Math.min, Math.max].map(which => along.reduce((sum, both) => sum + which(...both), 0));
    const inset = (ends[1] - ends[0]) / 2000;
    return [ends[0] + inset, ends[1] - inset];
  }
  function offset() {
    const [low, high] = ends();
    return given ?? low + (high - low) * slider.valueAsNumber / slider.max;
  }
  function show() {
    given = null;
    slider.hidden = !normal;
    output.textContent = normal ? short(offset(), 5) : '';
    changed();
  }
  choice.addEventListener('change', () => {
    normal = choice.value === 'facing' ? facing() : axes[choice.value] ?? null;
    show();
  });
  slider.addEventListener('input', show);
  return {
    /** Another volume. The first one may begin with a slice across an axis. */
    describe({ slices, box: next, begins }) {
      box = next;
      element('slices').hidden = !slices;
      if (!slices) normal = null;
      const axis = fresh && begins && Object.keys(axes).find(name => axes[name].every((x, k) => x === begins.normal[k]));
      fresh = false;
      if (!axis) return;
      [choice.value, normal] = [axis, axes[axis]];
      given = begins.offset;
      const [low, high] = ends();
      slider.value = high > low ? slider.max * (begins.offset - low) / (high - low) : slider.max / 2;
      slider.hidden = false;
      output.textContent = short(offset(), 5);
    },
    /** The plane as a view has it; null without one. */
    plane: () => normal && { normal, offset: offset() },
  };
}
