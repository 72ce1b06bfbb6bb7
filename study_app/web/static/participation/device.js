// participation/welcome.html: measures the device, and shows before consent that it is unsuitable.

const form = document.querySelector("#agree");
const refusal = document.querySelector("#device");

const measured = {
  device_pointer: window.matchMedia("(pointer: fine) and (hover: hover)").matches
    ? "fine"
    : "coarse",
  device_width: Math.max(screen.width, screen.height),
  device_height: Math.min(screen.width, screen.height),
};
for (const [name, value] of Object.entries(measured)) form.elements[name].value = value;

const isSmall = measured.device_width < Number(refusal.dataset.width) ||
  measured.device_height < Number(refusal.dataset.height);
const isUnfit = isSmall || ("laptop" in refusal.dataset && measured.device_pointer !== "fine");
refusal.hidden = !isUnfit;
form.hidden = isUnfit;
document.querySelector("#decline").hidden = isUnfit;
