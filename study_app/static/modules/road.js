// Every page of a study, on a narrow screen: bring the current station of the road into sight.

const here = document.querySelector(".road .here");
if (here) {
  const strip = here.closest(".road");
  strip.scrollLeft = here.offsetLeft - (strip.clientWidth - here.offsetWidth) / 2;
}
