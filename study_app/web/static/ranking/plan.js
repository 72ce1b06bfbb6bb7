// ranking/rank.html: requests the participant's list until it arrives.

import { get } from "../modules/server.js";
import { gettext } from "../modules/texts.js";
import { withAge } from "../participation/offline.js";
import { ServerClock } from "../participation/server_clock.js";

const RETRY_MS = 3000;

export async function askForPlan(base, server) {
  const asked = Date.now();
  const plan = withAge(await get(`${base}plan`));
  server.sync(plan.now_ms, asked);
  return plan;
}

// `open` gets the list; until then, errors are shown in the element `trouble`.
export async function begin(base, trouble, open) {
  document.querySelector(".unloaded")?.remove();
  const server = new ServerClock(`rank:clock:${base}`);
  const plan = await askForPlan(base, server).catch(({ status, message }) => {
    const isFinal = status && status < 500;
    const again = gettext("Reload this page to try again.");
    trouble.hidden = false;
    trouble.textContent = isFinal ? `${message} ${again}` : gettext(
      "The images couldn't be loaded; retrying. Check your connection if this takes long.",
    );
    if (!isFinal) setTimeout(() => begin(base, trouble, open), RETRY_MS);
  });
  if (plan) open(plan, server);
}
