'use strict';
const pictures = [...document.querySelectorAll('script.picture')];
const captions = JSON.parse(document.getElementById('captions').textContent);
const [picture, play, at, caption] = ['picture', 'play', 'at', 'caption'].map((id) => document.getElementById(id));
const FRAMES_PER_SECOND = 12;
let timer = null;

function show(i) {
  at.value = i;
  caption.textContent = captions[i] ?? 'no frames';
  picture.alt = captions[i] ?? '';
  if (pictures[i]) picture.src = 'data:image/png;base64,' + pictures[i].textContent;
}
function stop() {
  clearInterval(timer);
  timer = null;
  play.setAttribute('aria-pressed', 'false');
}
at.max = Math.max(pictures.length - 1, 0);
at.addEventListener('input', () => { stop(); show(+at.value); });
play.addEventListener('click', () => {
  if (timer !== null) return stop();
  play.setAttribute('aria-pressed', 'true');
  timer = setInterval(() => show((+at.value + 1) % Math.max(pictures.length, 1)), 1000 / FRAMES_PER_SECOND);
});
show(0);
