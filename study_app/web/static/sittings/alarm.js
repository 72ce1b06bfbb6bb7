// The alarm at the end of a time limit: full-screen, with sound, until it is silenced.

import { gettext } from "../modules/texts.js";

const BEEPS_EVERY_MS = 1500;
let audio = null;
let beeping = null;

function ready() {
  audio ??= new AudioContext();
  // Browsers allow a page to play sound only after the user has touched it.
  if (audio.state === "suspended") audio.resume();
}

function beep() {
  ready();
  for (const [start, pitch] of [[0, 880], [0.25, 1175], [0.5, 880]]) {
    const tone = audio.createOscillator();
    const loudness = audio.createGain();
    tone.type = "square";
    tone.frequency.value = pitch;
    loudness.gain.value = 0.3;
    tone.connect(loudness).connect(audio.destination);
    tone.start(audio.currentTime + start);
    tone.stop(audio.currentTime + start + 0.2);
  }
}

/** Show and sound the alarm until it is silenced. */
export function startAlarm() {
  const shown = document.querySelector("#time-over");
  shown.hidden = false;
  document.title = `${gettext("Time is up")} · ${document.title}`;
  document.querySelector("#time-over-seen").focus();
  beep();
  beeping ??= setInterval(beep, BEEPS_EVERY_MS);
}

// A tablet that switches its screen off stops the timer, too. Browsers offer this only over HTTPS or
// on localhost, and refuse it while the page is hidden.
function keepScreenOn() {
  navigator.wakeLock?.request("screen").catch(() => {});
}

function silence() {
  clearInterval(beeping);
  beeping = null;
  document.querySelector("#time-over").hidden = true;
}

if (document.querySelector("#time-over")) {
  document.querySelector("#time-over-seen").addEventListener("click", silence);
  document.querySelector("#try-alarm")?.addEventListener("click", beep);
  addEventListener("pointerdown", ready, { once: true });
  document.addEventListener("visibilitychange", keepScreenOn);
  keepScreenOn();
}
