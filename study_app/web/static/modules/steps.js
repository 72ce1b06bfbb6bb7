// Every page of a study: on a narrow screen, scroll the steps to the current one, or the focused one.

const here = document.querySelector(".steps .here");

function show() {
  const strip = here.closest(".steps");
  strip.scrollLeft = here.offsetLeft - (strip.clientWidth - here.offsetWidth) / 2;
}

if (here) {
  show();
  // A phone or tablet was rotated.
  window.addEventListener("resize", show);
}

// Browsers leave a link of which a pixel is in sight where it is.
document.querySelector(".steps").addEventListener("focusin", ({ target }) => {
  target.scrollIntoView({ block: "nearest", inline: "nearest" });
});
