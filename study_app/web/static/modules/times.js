// Pages with times: shows them in the reader's time zone; the server writes UTC.

const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const DAY = { day: "numeric", month: "long", year: "numeric" };
const FORMS = {
  day: DAY,
  long: { ...DAY, ...CLOCK, timeZoneName: "short" },
  short: { day: "numeric", month: "short", ...CLOCK },
};
const { lang } = document.documentElement;
const LANGUAGE = lang === "en" ? "en-GB" : lang;

export function showLocal(part) {
  for (const time of part.querySelectorAll("time[data-form]")) {
    const at = new Date(time.dateTime);
    const write = (form) => new Intl.DateTimeFormat(LANGUAGE, FORMS[form]).format(at);
    time.textContent = write(time.dataset.form);
    time.title = write("long");
  }
}

showLocal(document);
