// Recording page: the status text: whether the server has every event and photo.

import { gettext, ngettext } from "../modules/texts.js";

// Why photos or events of an outbox could not be sent; empty if they can or need not be.
const whyWaiting = (outbox) =>
  outbox.waiting && outbox.failures ? outbox.trouble || gettext("no connection") : "";

// Why nothing can be saved: a phone records without a sign-in, as long as the laptop lets it.
const onPhone = () => Boolean(document.getElementById("record").dataset.phone);
export const notSignedIn = () =>
  onPhone() ? gettext("this phone is disconnected") : gettext("you are not signed in");

// The text, and whether it is calm: not a warning.
export function savedWords(table, photos) {
  const outboxes = [table.queue, photos];
  const waiting = outboxes.reduce((sum, outbox) => sum + outbox.waiting, 0);
  if (table.needsSignIn && !onPhone()) {
    return {
      calm: false,
      words: waiting
        ? ngettext("%(num)s waiting; sign in to save", "%(num)s waiting; sign in to save", waiting)
        : gettext("not signed in"),
    };
  }
  const [why] = table.needsSignIn ? [notSignedIn()] : outboxes.map(whyWaiting).filter(Boolean);
  if (why && outboxes.some(({ hasUnstored }) => hasUnstored)) {
    return {
      calm: false,
      words: ngettext(
        "%(num)s waiting to be sent; continue, but keep this page open",
        "%(num)s waiting to be sent; continue, but keep this page open",
        waiting,
      ),
    };
  }
  if (why) {
    return {
      calm: false,
      words: waiting
        ? ngettext("%(num)s waiting (%(why)s)", "%(num)s waiting (%(why)s)", waiting, { why })
        : why,
    };
  }
  if (waiting) return { calm: true, words: gettext("saving") };
  return table.offline
    ? { calm: false, words: gettext("saved; no connection now") }
    : { calm: true, words: gettext("saved") };
}
