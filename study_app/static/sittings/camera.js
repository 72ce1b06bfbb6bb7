// Record page: the live camera: frames go to the server, each new card beeps and goes into the current group.

import { send } from "../modules/server.js";
import { beep, tell } from "./words.js";

const PAUSE_MS = 120;
const FORGET_MS = 4000;
const FRAME_WIDTH = 1600;

export class LiveCamera {
  // `take(seen)` gets what the server said of each code that comes into view.
  constructor(address, box, button, take) {
    Object.assign(this, { address, box, button, take, seen: new Map() });
    button.addEventListener("click", () => (this.stream ? this.stop() : this.start()));
    window.addEventListener("pagehide", () => this.stop());
  }

  async start() {
    if (!navigator.mediaDevices?.getUserMedia) {
      tell("This browser lends its camera only to pages on the computer itself (localhost) or over HTTPS: start the server with --https. Photos work here as it is.");
      return;
    }
    try {
      this.stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", width: { ideal: 1920 } }, audio: false });
    } catch (refusal) {
      tell(refusal.name === "NotAllowedError" ? "The camera was not allowed; allow it in the browser's address bar." : "No camera could be opened; use photos instead.");
      return;
    }
    this.video = Object.assign(document.createElement("video"), { srcObject: this.stream, muted: true, playsInline: true });
    this.box.replaceChildren(this.video);
    this.box.hidden = false;
    this.button.setAttribute("aria-pressed", "true");
    await this.video.play();
    this.#look();
  }

  stop() {
    for (const track of this.stream?.getTracks() || []) track.stop();
    this.stream = null;
    this.box.hidden = true;
    this.box.replaceChildren();
    this.button.setAttribute("aria-pressed", "false");
  }

  async #look() {
    if (!this.stream) return;
    const scale = Math.min(1, FRAME_WIDTH / this.video.videoWidth);
    const canvas = Object.assign(document.createElement("canvas"), { width: this.video.videoWidth * scale, height: this.video.videoHeight * scale });
    canvas.getContext("2d").drawImage(this.video, 0, 0, canvas.width, canvas.height);
    const frame = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85));
    const form = new FormData();
    form.append("frame", frame);
    try {
      const { seen } = await send(`${this.address}/frames`, form);
      for (const found of seen) this.#found(found);
    } catch { /* the next frame may pass; the line below says whether anything waits */ }
    setTimeout(() => this.#look(), PAUSE_MS);
  }

  // A card that stays in view is said once.
  #found(found) {
    const last = this.seen.get(found.code) ?? -Infinity;
    this.seen.set(found.code, performance.now());
    if (performance.now() - last < FORGET_MS) return;
    beep(this.take(found));
  }
}
