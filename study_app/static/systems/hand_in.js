// Systems page: while result files are on their way, the button says so and cannot be pressed again.

const form = document.querySelector("#hand-in-form");
const button = form?.querySelector("button.primary");
const words = button?.textContent;

form?.addEventListener("submit", () => {
  button.disabled = true;
  button.textContent = "Sending and checking…";
  form.setAttribute("aria-busy", "true");
});
// The page as it comes back from the browser's memory.
addEventListener("pageshow", () => {
  if (!button) return;
  button.disabled = false;
  button.textContent = words;
  form.removeAttribute("aria-busy");
});
