// participation/welcome.html: offers to continue if somebody has started in this browser through the
// same open link.

const form = document.querySelector("form[data-link]");
const place = `rank:begun:${form.dataset.link}`;
const here = window.location.pathname.replace(/[^/]+\/$/, "");

try {
  const begun = localStorage.getItem(place);
  if (begun) document.querySelector("#resume a").href = `${here}${begun}/`;
  document.querySelector("#resume").hidden = !begun;
  document.querySelector("#ended").hidden = begun !== "";
} catch { /* No storage: participants can still start. */ }

form.addEventListener("submit", () => {
  form.querySelector("button").setAttribute("aria-disabled", "true");
  try {
    localStorage.setItem(place, form.elements.own_token.value);
    // The next page corrects the token if the server issued another one: see arrived.js.
    sessionStorage.setItem("rank:joining", form.dataset.link);
  } catch { /* No storage: participants can return to their own address. */ }
});
