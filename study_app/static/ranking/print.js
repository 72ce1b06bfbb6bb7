// ranking/links.html: prints the sheet of links, or copies it for a letter to each: number and
// address, a line each.

import { copy } from "../modules/copying.js";

document.querySelector("#print").addEventListener("click", () => window.print());

document.querySelector("#copy").addEventListener("click", async () => {
  const slips = [...document.querySelectorAll(".slip")];
  const addresses = slips.map((slip) => slip.querySelector(".address").textContent);
  const lines = slips.length === 1
    ? addresses
    : slips.map((slip, at) => `${slip.dataset.number}\t${addresses[at]}`);
  const copied = await copy(lines.join("\n"));
  document.querySelector("#copied").textContent = copied
    ? "Copied."
    : "This browser does not let the page copy: mark the addresses and copy them.";
});
