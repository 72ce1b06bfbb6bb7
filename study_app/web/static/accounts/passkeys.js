// Adding a passkey on the account page, and signing in with one.

import { send } from "../modules/server.js";
import { gettext } from "../modules/texts.js";

const place = document.querySelector("#passkeys");
const button = place?.querySelector("#passkey");
const refusal = place?.querySelector("#passkey-refusal");
const password = place?.querySelector("#passkey-password");
const adding = location.pathname.startsWith("/account");

// Browsers support passkeys for host names only, and only over HTTPS or on localhost.
const named = /[a-z]/i.test(location.hostname) && !location.hostname.includes(":");
const known = globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON;

async function ask() {
  const form = new FormData();
  if (adding) form.set("current", password.querySelector("input").value);
  const options = await send(place.dataset.options, form);
  if (adding) {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return navigator.credentials.create({ publicKey });
  }
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return navigator.credentials.get({ publicKey });
}

async function use() {
  button.disabled = true;
  refusal.hidden = true;
  try {
    const credential = await ask();
    const { location: next } = await send(place.dataset.finish, credential.toJSON());
    location.assign(next);
  } catch (fault) {
    refusal.textContent = fault.name === "NotAllowedError"
      ? gettext("No passkey was used. Try again, or use your password.")
      : fault.message;
    refusal.hidden = false;
    button.disabled = false;
  }
}

if (place && known && named) {
  button.hidden = false;
  if (adding) password.hidden = false;
  place.querySelector("#no-passkeys")?.remove();
  button.addEventListener("click", use);
}
