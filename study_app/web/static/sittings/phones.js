// Recording page: a QR code that opens this sitting on a phone, once; and disconnecting phones.

import { get, send } from "../modules/server.js";
import { ngettext } from "../modules/texts.js";
import { setText, showMessage } from "./words.js";

const POLL_MS = 2000;

export class Phones {
  constructor(address, button, dialog) {
    Object.assign(this, { address: `${address}/phones`, dialog });
    this.picture = dialog.querySelector("img");
    this.written = dialog.querySelector("[data-address]");
    this.connected = dialog.querySelector("[data-connected]");
    this.end = dialog.querySelector("[data-end]");
    button.addEventListener("click", () => this.#show());
    this.end.addEventListener("click", () => this.#disconnect());
    dialog.addEventListener("close", () => {
      clearInterval(this.timer);
      this.picture.removeAttribute("src");
    });
  }

  async #show() {
    try {
      const { address, picture, minutes } = await send(this.address);
      this.picture.src = picture;
      setText(this.written, address);
      setText(
        this.dialog.querySelector("[data-minutes]"),
        ngettext("%(num)s minute", "%(num)s minutes", minutes),
      );
    } catch (refusal) {
      showMessage(refusal.message);
      return;
    }
    this.dialog.showModal();
    this.timer = setInterval(() => this.#poll(), POLL_MS);
    await this.#poll();
  }

  async #poll() {
    const { connected } = await get(this.address).catch(() => ({ connected: 0 }));
    this.#showConnected(connected);
  }

  #showConnected(connected) {
    setText(
      this.connected,
      connected ? ngettext("%(num)s phone connected.", "%(num)s phones connected.", connected) : "",
    );
    this.end.hidden = !connected;
  }

  async #disconnect() {
    const { connected } = await send(`${this.address}/disconnect`);
    this.#showConnected(connected);
    this.dialog.close();
  }
}
