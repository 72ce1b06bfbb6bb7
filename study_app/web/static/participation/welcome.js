// participation/welcome.html: offers to go on where somebody has begun in this browser, through the
// same open link.

const form = document.querySelector("form[data-link]");
const place = `rank:begun:${form.dataset.link}`;
const here = window.location.pathname.replace(/[^/]+\/$/, "");

try {
  const begun = localStorage.getItem(place);
  if (begun) document.querySelector("#resume a").href = `${here}${begun}/`;
  document.querySelector("#resume").hidden = !begun;
  document.querySelector("#ended").hidden = begun !== "";
} catch { /* A browser that keeps nothing can still begin. */ }

form.addEventListener("submit", () => {
  form.querySelector("button").setAttribute("aria-disabled", "true");
  try {
    localStorage.setItem(place, form.elements.own_token.value);
    // The page that opens next knows the token for certain: see arrived.js.
    sessionStorage.setItem("rank:joining", form.dataset.link);
  } catch { /* It has its own address to come back to. */ }
});
