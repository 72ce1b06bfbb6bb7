// participation/task/links.html: copies one line per link: its number and its address.

import { copy } from "../modules/copying.js";
import { gettext } from "../modules/texts.js";

document.querySelector("#copy").addEventListener("click", async () => {
  const slips = [...document.querySelectorAll(".slip")];
  const addresses = slips.map((slip) => slip.querySelector(".address").textContent);
  const lines = slips.length === 1
    ? addresses
    : slips.map((slip, at) => `${slip.dataset.number}\t${addresses[at]}`);
  const copied = await copy(lines.join("\n"));
  document.querySelector("#copied").textContent = copied
    ? gettext("Copied.")
    : gettext("This browser does not let the page copy: mark the addresses and copy them.");
});
