// A sitting's page and its instructions: the timer, and the alarm when the time limit is reached.

import { gettext } from "../modules/texts.js";
import { startAlarm } from "./alarm.js";

const clock = document.querySelector("[data-clock]");
const words = document.querySelector("[data-clock-words]");
const limit = Number(clock.dataset.limit || 0) * 60;
// Use the server's time, since the tablet's clock may be wrong.
const ahead = Date.parse(clock.dataset.now) - Date.now();

function tick() {
  const seconds = Math.max(
    0,
    Math.floor((Date.now() + ahead - Date.parse(clock.dataset.clock)) / 1000),
  );
  const hours = Math.floor(seconds / 3600);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    String(part).padStart(2, "0")
  );
  clock.textContent = (hours ? [hours, ...parts] : parts).join(":");
  if (limit && seconds >= limit && !clock.classList.contains("over")) {
    clock.classList.add("over");
    if (words) words.textContent = gettext("Time is up");
    startAlarm();
  }
}

tick();
setInterval(tick, 1000);
