// Every page of a study, on a narrow screen: bring the current station of the road into sight.

const here = document.querySelector(".road .here");

function show() {
  const strip = here.closest(".road");
  strip.scrollLeft = here.offsetLeft - (strip.clientWidth - here.offsetWidth) / 2;
}

if (here) {
  show();
  // A phone or tablet that is turned.
  window.addEventListener("resize", show);
}
