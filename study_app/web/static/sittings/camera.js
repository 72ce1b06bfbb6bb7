// Recording page, live camera: frames are sent to the server; each new card is put into the current
// group, with a beep.

import { send } from "../modules/server.js";
import { gettext, ngettext } from "../modules/texts.js";
import { Lights } from "./lights.js";
import { beep, setText, showMessage } from "./words.js";

const PAUSE_MS = 120;
const FORGET_MS = 4000;
const FORGET_FRAMES = 3;
const FRAME_WIDTH = 1600;
const RECENT_CARDS = 8;
const make = (tag, properties) => Object.assign(document.createElement(tag), properties);

export class LiveCamera {
  // `listener.take(found)` gets the server's answer for each card that comes into view; it returns
  // whether the card was recorded, or null. `listener.changed()` is called when the camera is turned
  // on or off.
  constructor(address, box, button, listener) {
    Object.assign(this, {
      address,
      box,
      button,
      listener,
      seen: new Map(),
      before: new Set(),
      frames: 0,
    });
    this.video = make("video", { muted: true, playsInline: true });
    this.lights = new Lights();
    this.film = make("div", { className: "film" });
    this.film.append(this.video, this.lights.element);
    this.words = make("p", { className: "quiet" });
    this.words.setAttribute("role", "status");
    // The last recorded cards, newest first.
    this.taken = make("div", { className: "stimuli" });
    const beside = make("div", { className: "beside" });
    beside.append(this.words, this.taken);
    box.append(this.film, beside);
    button.addEventListener("click", () => (this.stream ? this.stop() : this.start()));
    window.addEventListener("pagehide", () => this.stop());
  }

  async start() {
    if (!navigator.mediaDevices?.getUserMedia) {
      showMessage(
        gettext(
          "Live camera needs HTTPS or localhost: start the server with --https. Photos work without it.",
        ),
      );
      return;
    }
    // A second press while the browser asks would film twice, and only one of them could be stopped.
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      this.stream = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: "environment", width: { ideal: 1920 } },
        audio: false,
      });
    } catch (refusal) {
      showMessage(
        refusal.name === "NotAllowedError"
          ? gettext("Camera access was denied. Allow it in the browser's address bar.")
          : gettext("No camera found. Use photos instead."),
      );
      return;
    } finally {
      this.isAsking = false;
    }
    await this.#film();
  }

  async #film() {
    const { stream } = this;
    // As when a camera is unplugged, or another program takes it.
    for (const track of stream.getTracks()) track.addEventListener("ended", () => this.stop());
    this.box.hidden = false;
    this.button.setAttribute("aria-pressed", "true");
    this.video.srcObject = this.stream;
    this.listener.changed();
    // It fails if the camera is turned off before the first picture.
    await this.video.play().catch(() => {});
    // With the button that turns it off, the picture, and below it the cards that are missing.
    this.button.scrollIntoView({ block: "start" });
    while (this.stream === stream) await this.#readFrame();
  }

  stop() {
    for (const track of this.stream?.getTracks() || []) track.stop();
    this.stream = null;
    this.video.srcObject = null;
    this.box.hidden = true;
    this.button.setAttribute("aria-pressed", "false");
    this.listener.changed();
  }

  get isOn() {
    return Boolean(this.stream);
  }

  // Read one frame, then pause for as long as the reading took, so that a laptop that is also the
  // server is busy for at most half of the time.
  async #readFrame() {
    const begun = performance.now();
    if (!document.hidden) {
      try {
        const { seen } = await send(`${this.address}/frames`, await this.#frame());
        this.#shown(seen);
      } catch (refusal) {
        setText(
          this.words,
          refusal.status
            ? refusal.message
            : gettext("No connection. Reading continues as soon as it is back."),
        );
      }
    }
    await new Promise((done) => {
      setTimeout(done, Math.max(PAUSE_MS, performance.now() - begun));
    });
  }

  async #frame() {
    const { videoWidth, videoHeight } = this.video;
    const scale = Math.min(1, FRAME_WIDTH / videoWidth);
    const canvas = make("canvas", { width: videoWidth * scale, height: videoHeight * scale });
    canvas.getContext("2d").drawImage(this.video, 0, 0, canvas.width, canvas.height);
    const form = new FormData();
    form.append(
      "frame",
      await new Promise((done) => {
        canvas.toBlob(done, "image/jpeg", 0.85);
      }),
    );
    return form;
  }

  // A card that stays in view is reported once; one that was recognised, not decoded, must be so in
  // two successive frames.
  #shown(found) {
    if (!this.stream) return;
    this.frames += 1;
    this.lights.show(found.filter(({ outline }) => outline));
    setText(
      this.words,
      found.length
        ? ngettext("%(num)s card in view.", "%(num)s cards in view.", found.length)
        : gettext("No card in view. Hold the cards closer to the camera."),
    );
    for (const card of found) {
      const sure = card.how === "decoded" || this.before.has(card.code);
      if (!sure || this.#inSight(card.code)) continue;
      const taken = this.listener.take(card);
      if (taken !== null) beep(taken);
      if (taken && card.picture) this.#show(card.picture);
    }
    this.before = new Set(found.map(({ code }) => code));
  }

  // Whether a card has stayed in view; it has not if it was missing for some frames and some seconds.
  #inSight(code) {
    const { frames } = this;
    const last = this.seen.get(code);
    this.seen.set(code, { frames, at: performance.now() });
    return last !== undefined &&
      (frames - last.frames <= FORGET_FRAMES || performance.now() - last.at < FORGET_MS);
  }

  #show(picture) {
    const card = make("span", { className: "stimulus" });
    card.append(Object.assign(new Image(64, 64), { src: picture, alt: "" }));
    this.taken.prepend(card);
    while (this.taken.children.length > RECENT_CARDS) this.taken.lastChild.remove();
  }
}
