// ranking/rank.html: the bar at the foot: how far, how long, what is saved; and leaving when all of
// it is.

import { counted } from "../modules/words.js";

export class StatusLine {
  constructor(find, page) {
    this.find = find;
    this.page = page;
  }

  say(words) {
    this.find("said").textContent = words;
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
    this.arrange(ranking.over);
    if (ranking.over) {
      this.ending();
      return;
    }
    const left = ranking.left();
    const { reviewing } = this.page;
    this.writeProgress([this.place(), `${counted(left, "image")} left`, this.time()]);
    this.notice("limit", this.warning());
    this.notice(
      "rest",
      this.page.clock.pauseIsDue ? "More than ten minutes so far. Take a break if you like." : "",
    );
    this.loading();
    this.find("next").hidden = reviewing || left === 0;
    this.find("over").hidden = reviewing || left > 0;
    this.find("hand-in").disabled = left > 0;
  }

  // At the end nothing is left to be scored, looked at or paused.
  arrange(over) {
    this.find("desk").hidden = over;
    this.find("scale").hidden = over;
    this.find("tools").hidden = over;
    this.find("ending").hidden = !over;
  }

  warning() {
    const { isClose, minutes } = this.page.limit;
    if (!isClose) return "";
    const left = minutes > 1 ? `${minutes} minutes` : "one minute";
    return `Less than ${left} left. Scores are saved as you give them; the page closes automatically.`;
  }

  loading() {
    const { ranking, pictures, complaint } = this.page;
    const failed = ranking.query.images.filter((image) => ranking.isFailed(image)).length;
    const sketchFailed = ranking.failed.has(ranking.query.sketch) &&
      !pictures.isThere(ranking.query.sketch);
    const words = sketchFailed
      ? "The sketch could not be loaded. Check your connection and reload the images."
      : failed
      ? `${counted(failed, "image")} could not be loaded. Reload the images, or continue without.`
      : complaint;
    this.notice("trouble", words);
    this.find("retry").hidden = !failed && !sketchFailed;
  }

  // Practice, and the first query after it, are named: the participant knows what counts.
  sayKind() {
    const { ranking } = this.page;
    const before = ranking.queries[ranking.index - 1];
    const practice = ranking.query.kind === "practice";
    const words = practice
      ? "Practice: these scores are not counted."
      : before?.kind === "practice"
      ? "Practice is over: scores count from now on."
      : "";
    this.notice("kind", words);
    this.say([`${this.place()}.`, words].join(" "));
  }

  place() {
    const { queries, query } = this.page.ranking;
    const practice = queries.filter((other) => other.kind === "practice").length;
    if (query.kind === "practice") return `Practice ${query.position} of ${practice}`;
    return `Sketch ${query.position - practice} of ${queries.length - practice}`;
  }

  time() {
    const { ranking, clock, pace, limit } = this.page;
    const minutes = pace.minutesFor(
      ranking.leftAltogether(),
      ranking.toHandIn.length,
      ranking.left() ? 0 : clock.besides,
    );
    const work = `about ${counted(minutes, "minute")}`;
    return limit.isSet
      ? `${work} of work; ${counted(limit.minutes, "minute")} left`
      : `${work} left`;
  }

  saving() {
    const { outbox } = this.page;
    const { waiting } = outbox;
    if (!waiting) return "saved";
    if (outbox.trouble) return `not saved yet: ${outbox.trouble}`;
    if (!outbox.failures) return "saving…";
    return outbox.isLoose
      ? `${waiting} waiting to be sent; continue, but keep this page open`
      : `${waiting} waiting to be sent; continue, everything is saved on this device`;
  }

  ending() {
    const { waiting, failures } = this.page.outbox;
    this.write("ending-title", this.page.timeUp ? "The time is up." : "That was the last sketch.");
    this.write(
      "progress",
      waiting && failures ? "Keep this page open until everything is sent." : "",
    );
    for (const id of ["limit", "rest", "trouble"]) this.notice(id, "");
  }

  write(id, words) {
    const place = this.find(id);
    if (place.textContent !== words) place.textContent = words;
    if (id === "saving") place.classList.toggle("warn", words !== "saved" && words !== "saving…");
  }

  // Each part stays on one line.
  writeProgress(parts) {
    const place = this.find("progress");
    if (place.textContent === parts.join(" · ")) return;
    const spans = parts.map((textContent) =>
      Object.assign(document.createElement("span"), { textContent })
    );
    place.replaceChildren(...spans.flatMap((part, at) => (at ? [" · ", part] : [part])));
  }

  leave() {
    if (this.left) return;
    this.left = true;
    window.location.assign(`${this.find("desk").dataset.base}thanks`);
  }
}
