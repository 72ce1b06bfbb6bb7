// participation/welcome.html: stores who starts through this link, so that the page offers to continue
// next time.

const form = document.querySelector("form[data-link]");

form.addEventListener("submit", () => {
  form.querySelector("button").setAttribute("aria-disabled", "true");
  try {
    localStorage.setItem(`rank:begun:${form.dataset.link}`, form.elements.own_token.value);
    // The next page corrects the token if the server issued another one: see arrived.js.
    sessionStorage.setItem("rank:joining", form.dataset.link);
  } catch { /* No storage: participants can return to their own address. */ }
});
