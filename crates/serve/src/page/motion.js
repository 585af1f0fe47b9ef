/**
 * The time from what the user does to what is seen: from an event that moves the camera to the picture of the
 * points or triangles that are there already, and to the one of a frame that was made for this camera or a later one.
 * And the age of frames: from their step, or the request, until they are drawn.
 *
 * A picture counts as seen at the beginning of the browser's next frame after the graphics card has drawn it.
 */
function motionClock(numbers) {
  // when the event came that is being handled; several of the mouse come together, and the first counts
  let input = 0;
  for (const kind of ['pointermove', 'pointerdown', 'wheel', 'keydown', 'dblclick', 'click']) {
    const note = event => {
      input = event.getCoalescedEvents?.()[0]?.timeStamp ?? event.timeStamp;
      setTimeout(() => { input = 0; });
    };
    window.addEventListener(kind, note, { capture: true, passive: true });
  }
  // events without a picture, and events without a frame, with the view that was sent after them
  let unseen = [], waiting = [];
  // the frame that has come and is not drawn yet
  let fresh = null;

  /** Numbers of views begin again. */
  function begin() {
    [unseen, waiting, fresh] = [[], [], null];
  }
  /** The camera has moved; without an event it moves by itself, when a mesh is fitted. */
  function moved() {
    if (!input) return;
    unseen.push(input);
    waiting.push({ at: input, view: 0 });
    input = 0;
    // a server that answers nothing leaves them here
    if (waiting.length > 1000) waiting.shift();
  }
  function sent(view) {
    for (const event of waiting) event.view ||= view;
  }
  function arrived(frame, at) {
    fresh = { frame, at };
  }
  function whenSeen(gl, done) {
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    const look = () => {
      if (gl.isContextLost()) return;
      if (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) return requestAnimationFrame(look);
      gl.deleteSync(fence);
      done(performance.now());
    };
    requestAnimationFrame(look);
  }
  /** What is there has been drawn from the present camera. */
  function painted(gl, frame) {
    // triangles are right from all cameras
    const shows = event => frame.mode === 3 || event.view && event.view <= frame.view;
    const [pictures, news] = [unseen, fresh];
    const own = waiting.filter(shows);
    if (!pictures.length && !news && !own.length) return;
    [unseen, fresh] = [[], null];
    waiting = waiting.filter(event => !shows(event));
    whenSeen(gl, now => {
      for (const at of pictures) numbers.add('picture', now - at);
      for (const { at } of own) numbers.add('photon', now - at);
      if (news) numbers.add('age', news.frame.age + (numbers.facts.trip ?? 0) / 2 + now - news.at, news.frame);
    });
  }
  return { begin, moved, sent, arrived, painted };
}
