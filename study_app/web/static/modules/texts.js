// Every page whose scripts say something to participants or conductors: their texts in the language of the page,
// from the catalogue that the page brings; in English where it has none.

const brought = document.querySelector("#texts");
const { language, texts } = brought
  ? JSON.parse(brought.textContent)
  : { language: "en", texts: {} };
const rules = new Intl.PluralRules(language);
// Digits as on the keys and on the scale.
const numbers = new Intl.NumberFormat(`${language}-u-nu-latn`);

// Where reading goes on: 1 to the right, -1 to the left.
export const forward = document.dir === "rtl" ? -1 : 1;

const filled = (text, values) => text.replace(/%\((\w+)\)s/g, (_, name) => values[name]);

export const gettext = (text, values = {}) => filled(texts[text] ?? text, values);

// Several names in one sentence: “1 and 2”.
export const listed = (names) => new Intl.ListFormat(language).format(names);

// The form that goes with a number; `%(num)s` in it is the number.
export function ngettext(one, many, count, values = {}) {
  const forms = texts[one];
  const english = count === 1 ? one : many;
  const form = forms ? forms[rules.select(count)] ?? forms.other : english;
  return filled(form, { num: numbers.format(count), ...values });
}
