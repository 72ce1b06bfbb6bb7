// ranking/rank.html: the status line in the footer: progress, time left, and what is saved; it leaves
// the page when everything is saved.

import { gettext, ngettext } from "../modules/texts.js";

export class StatusLine {
  constructor(find, page) {
    this.find = find;
    this.page = page;
  }

  announce(words) {
    this.find("announcement").textContent = words;
  }

  notice(id, words) {
    const place = this.find(id);
    place.hidden = !words;
    if (place.textContent !== words) place.textContent = words;
  }

  show() {
    const { ranking, outbox } = this.page;
    if (outbox.state !== "ranking") {
      this.leave();
      return;
    }
    this.write("saving", this.saving());
    const { waiting, trouble, failures } = outbox;
    this.find("saving").classList.toggle("warn", Boolean(waiting && (trouble || failures)));
    this.arrange(ranking.over);
    if (ranking.over) {
      this.ending();
      return;
    }
    const left = ranking.left();
    const { reviewing } = this.page;
    this.writeProgress([
      this.place(),
      ngettext("%(num)s image left", "%(num)s images left", left),
      ...this.times(),
    ]);
    this.notice("limit", this.warning());
    this.notice(
      "rest",
      this.page.clock.pauseIsDue
        ? gettext("More than ten minutes so far. Take a break if you like.")
        : "",
    );
    this.loading();
    this.find("next").hidden = reviewing || left === 0;
    this.find("to-review").hidden = reviewing || left > 0;
    this.find("submit").disabled = left > 0;
  }

  // At the end, everything but the ending is hidden.
  arrange(over) {
    this.find("workspace").hidden = over;
    this.find("scale").hidden = over;
    this.find("tools").hidden = over;
    this.find("ending").hidden = !over;
  }

  warning() {
    const { isClose, minutes } = this.page.limit;
    if (!isClose) return "";
    return ngettext(
      "Less than one minute left. Scores are saved as you give them; the page closes automatically.",
      "Less than %(num)s minutes left. Scores are saved as you give them; the page closes automatically.",
      Math.max(1, minutes),
    );
  }

  loading() {
    const { ranking, pictures, complaint } = this.page;
    const failed = ranking.query.images.filter((image) => ranking.isFailed(image)).length;
    const sketchFailed = ranking.failed.has(ranking.query.sketch) &&
      !pictures.isThere(ranking.query.sketch);
    const words = sketchFailed
      ? gettext("The sketch could not be loaded. Check your connection and reload the images.")
      : failed
      ? ngettext(
        "%(num)s image could not be loaded. Reload the images, or continue without.",
        "%(num)s images could not be loaded. Reload the images, or continue without.",
        failed,
      )
      : complaint;
    this.notice("trouble", words);
    this.find("retry").hidden = !failed && !sketchFailed;
  }

  // Announce practice and its end, so that participants know which scores count.
  announceKind() {
    const { ranking } = this.page;
    const before = ranking.queries[ranking.index - 1];
    const practice = ranking.query.kind === "practice";
    const words = practice
      ? gettext("Practice: these scores are not counted.")
      : before?.kind === "practice"
      ? gettext("Practice is over: scores count from now on.")
      : "";
    this.notice("kind", words);
    this.announce([this.place(), words].filter(Boolean).join(" · "));
  }

  place() {
    const { queries, query } = this.page.ranking;
    const practice = queries.filter((other) => other.kind === "practice").length;
    // Positions are numbered through all parts of a task; participants see the number in the part.
    const number = queries.indexOf(query) + 1;
    if (query.kind === "practice") {
      return gettext("Practice %(number)s of %(all)s", { number, all: practice });
    }
    const about = { number: number - practice, all: queries.length - practice };
    return gettext("Sketch %(number)s of %(all)s", about);
  }

  times() {
    const { ranking, clock, pace, limit } = this.page;
    const minutes = pace.minutesFor(
      ranking.leftAltogether(),
      ranking.unsubmitted.length,
      ranking.left() ? 0 : clock.besides,
    );
    if (!limit.isSet) {
      return [ngettext("about %(num)s minute left", "about %(num)s minutes left", minutes)];
    }
    const work = ngettext("about %(num)s minute of work", "about %(num)s minutes of work", minutes);
    // NOTE: of the time limit
    const left = ngettext("%(num)s minute left", "%(num)s minutes left", limit.minutes);
    return [work, left];
  }

  saving() {
    const { outbox } = this.page;
    const { waiting, trouble } = outbox;
    // NOTE: in the status line: all scores are saved
    if (!waiting) return gettext("saved");
    if (trouble) return gettext("not saved yet: %(reason)s", { reason: trouble });
    if (!outbox.failures) return gettext("saving…");
    return outbox.hasUnstored
      ? ngettext(
        "%(num)s waiting to be sent; continue, but keep this page open",
        "%(num)s waiting to be sent; continue, but keep this page open",
        waiting,
      )
      : ngettext(
        "%(num)s waiting to be sent; continue, everything is saved on this device",
        "%(num)s waiting to be sent; continue, everything is saved on this device",
        waiting,
      );
  }

  ending() {
    const { waiting, failures } = this.page.outbox;
    this.write(
      "ending-title",
      this.page.timeUp ? gettext("The time is up.") : gettext("That was the last sketch."),
    );
    this.write(
      "progress",
      waiting && failures ? gettext("Keep this page open until everything is sent.") : "",
    );
    for (const id of ["limit", "rest", "trouble"]) this.notice(id, "");
  }

  write(id, words) {
    const place = this.find(id);
    if (place.textContent !== words) place.textContent = words;
  }

  // Each item of the status line is a span that does not wrap, and no line begins with a dot.
  writeProgress(parts) {
    const place = this.find("progress");
    const dot = "\u00a0· ";
    if (place.textContent === parts.join(dot)) return;
    const spans = parts.map((textContent) =>
      Object.assign(document.createElement("span"), { textContent })
    );
    place.replaceChildren(...spans.flatMap((part, at) => (at ? [dot, part] : [part])));
  }

  leave() {
    if (this.left) return;
    this.left = true;
    window.location.assign(`${this.find("workspace").dataset.base}thanks`);
  }
}
