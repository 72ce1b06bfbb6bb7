// Texts of scripts for participants and conductors, in the language of the page, from the catalogue
// in the page; in English if it has none.

const catalogue = document.querySelector("#texts");
const { language, texts } = catalogue
  ? JSON.parse(catalogue.textContent)
  : { language: "en", texts: {} };
const rules = new Intl.PluralRules(language);
// The digits 0 to 9, as on the keyboard and on the scale.
const numbers = new Intl.NumberFormat(`${language}-u-nu-latn`);

// The reading direction: 1 for left to right, -1 for right to left.
export const forward = document.dir === "rtl" ? -1 : 1;

const shares = new Intl.NumberFormat(`${language}-u-nu-latn`, { style: "percent" });

// A share from 0 to 1, such as “40 %”.
export const percent = (share) => shares.format(share);

const filled = (text, values) => text.replace(/%\((\w+)\)s/g, (_, name) => values[name]);

export const gettext = (text, values = {}) => filled(texts[text] ?? text, values);

// A list of names: “1 and 2”.
export const listed = (names) => new Intl.ListFormat(language).format(names);

// The plural form for a number; `%(num)s` in it is the number.
export function ngettext(one, many, count, values = {}) {
  const forms = texts[one];
  const english = count === 1 ? one : many;
  const form = forms ? forms[rules.select(count)] ?? forms.other : english;
  return filled(form, { num: numbers.format(count), ...values });
}
