// Every page of a study, on a narrow screen: bring the current step into sight.

const here = document.querySelector(".steps .here");

function show() {
  const strip = here.closest(".steps");
  strip.scrollLeft = here.offsetLeft - (strip.clientWidth - here.offsetWidth) / 2;
}

if (here) {
  show();
  // A phone or tablet that is turned.
  window.addEventListener("resize", show);
}
