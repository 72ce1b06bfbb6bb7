// ranking/rank.html: asks for the participant's list, until it comes.

import { get } from "../modules/server.js";
import { gettext } from "../modules/texts.js";
import { brought } from "../participation/offline.js";
import { ServerClock } from "../participation/server_clock.js";

const AGAIN_MS = 3000;

export async function askForPlan(base, server) {
  const asked = Date.now();
  const plan = brought(await get(`${base}plan`));
  server.sync(plan.now_ms, asked);
  return plan;
}

// `open` gets the list; what is in the way meanwhile is said at the place of trouble.
export async function begin(base, trouble, open) {
  const server = new ServerClock(`rank:clock:${base}`);
  const plan = await askForPlan(base, server).catch(({ status, message }) => {
    const isFinal = status && status < 500;
    const again = gettext("Reload this page to try again.");
    trouble.hidden = false;
    trouble.textContent = isFinal ? `${message} ${again}` : gettext(
      "The images couldn't be loaded; retrying. Check your connection if this takes long.",
    );
    if (!isFinal) setTimeout(() => begin(base, trouble, open), AGAIN_MS);
  });
  if (plan) open(plan, server);
}
