// Every page of the demo study: a closed tour stays closed until it is opened again.

const guide = document.querySelector("#guide");
const close = guide.querySelector("#close-guide");
const place = `guide:${guide.dataset.study}`;

const remembered = () => {
  try {
    return localStorage.getItem(place);
  } catch {
    return null;
  }
};

if (remembered() === "closed") guide.open = false;
close.hidden = false;
close.addEventListener("click", () => {
  guide.open = false;
  guide.querySelector("summary").focus();
});
guide.addEventListener("toggle", () => {
  try {
    localStorage.setItem(place, guide.open ? "open" : "closed");
  } catch { /* Without storage, every page shows the tour. */ }
});
