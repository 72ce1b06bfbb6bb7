// Adding a passkey on the account page, and signing in or confirming a change with one.

import { Refusal, send } from "../modules/server.js";
import { gettext } from "../modules/texts.js";

const form = document.querySelector("#passkeys");
const button = form?.querySelector("button");
const field = form?.querySelector('input[name="current"]');
const notice = form?.querySelector(".refusal");
const adding = location.pathname.startsWith("/account");

// Browsers support passkeys for host names only, and only over HTTPS or on localhost.
const named = /[a-z]/i.test(location.hostname) && !location.hostname.includes(":");
const known = globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON;

async function ask() {
  const options = await send(form.dataset.options, new FormData(form));
  if (adding) {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return navigator.credentials.create({ publicKey });
  }
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return navigator.credentials.get({ publicKey });
}

async function use(event) {
  // The other buttons remove passkeys.
  if ((event.submitter ?? button) !== button) return;
  event.preventDefault();
  button.disabled = true;
  field?.removeAttribute("aria-invalid");
  notice.hidden = true;
  // What was said about an earlier change would be read as about this one.
  for (const earlier of document.querySelectorAll("main > .notice")) earlier.remove();
  try {
    const credential = await ask();
    const { location: next } = await send(form.dataset.finish, credential.toJSON());
    if (next) location.assign(next);
    else document.getElementById(form.dataset.then).submit();
  } catch (fault) {
    notice.textContent = reason(fault);
    notice.hidden = false;
    button.disabled = false;
    (field ?? button).focus();
  }
}

// Browsers word their own faults for programmers.
function reason(fault) {
  if (fault instanceof Refusal) return fault.message;
  if (fault.name === "InvalidStateError") {
    return gettext("This device already has a passkey for your account.");
  }
  if (fault instanceof DOMException) {
    return gettext("No passkey was used. Try again, or use your password.");
  }
  return gettext("The server could not be reached. Try again.");
}

if (form && known && named) {
  form.hidden = button.hidden = button.disabled = false;
  document.querySelector("#no-passkeys")?.remove();
  form.addEventListener("submit", use);
}
