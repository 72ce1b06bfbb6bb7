// participate/rank.html: the bar at the foot: how far, how long, what is saved; and leaving when all of it is.

export class StatusLine {
  constructor(find, page) {
    this.find = find;
    this.page = page;
  }

  say(words) { this.find("said").textContent = words; }

  trouble(words) {
    const place = this.find("trouble");
    place.hidden = !words;
    if (place.textContent !== words) place.textContent = words;
  }

  show() {
    const { ranking, outbox } = this.page;
    if (outbox.state === "withdrawn" || (ranking.over && !outbox.waiting) || outbox.state === "finished") { this.leave(); return; }
    this.write("saving", this.saving());
    if (ranking.over) { this.ending(); return; }
    const left = ranking.left();
    const failed = ranking.query.images.filter((image) => ranking.isFailed(image)).length;
    const sketchFailed = ranking.failed.has(ranking.query.sketch) && !this.page.pictures.isThere(ranking.query.sketch);
    this.write("progress", [this.place(), `${left} ${left === 1 ? "image" : "images"} left`, this.time()].filter(Boolean).join(" · "));
    this.trouble(sketchFailed ? "The sketch did not load: nothing can be scored against it. Check your connection and load again." : failed ? `${failed} ${failed === 1 ? "image" : "images"} did not load and cannot be scored. Load again, or go on without.` : "");
    this.find("retry").hidden = !failed && !sketchFailed;
    this.find("next").hidden = this.page.lookingOver || left === 0;
    this.find("over").hidden = this.page.lookingOver || left > 0;
    this.find("hand-in").disabled = left > 0;
  }

  place() {
    const { queries, query } = this.page.ranking;
    const practice = queries.filter((other) => other.kind === "practice").length;
    if (query.kind === "practice") return `Practice ${query.position} of ${practice}`;
    return `Query ${query.position - practice} of ${queries.length - practice}`;
  }

  time() {
    const { ranking, clock, ends } = this.page;
    const minutes = clock.minutesFor(ranking.leftAltogether());
    const guess = `about ${minutes} ${minutes === 1 ? "minute" : "minutes"} left`;
    if (ends === null) return guess;
    const limit = Math.max(0, Math.ceil((ends - Date.now()) / 60000));
    return `${guess}, ${limit} allowed`;
  }

  saving() {
    const { outbox } = this.page;
    const { waiting } = outbox;
    if (!waiting) return "saved";
    if (outbox.trouble) return `not saved yet: ${outbox.trouble}`;
    if (!outbox.failures) return "saving…";
    return `${waiting} waiting for the network; go on, they are kept here`;
  }

  ending() {
    const { waiting } = this.page.outbox;
    this.write("progress", "That was the last one.");
    if (waiting && this.page.outbox.failures) this.trouble(`${waiting} entries wait for the network. Keep this page open until they are sent.`);
  }

  write(id, words) {
    const place = this.find(id);
    if (place.textContent !== words) place.textContent = words;
    if (id === "saving") place.classList.toggle("warn", words !== "saved" && words !== "saving…");
  }

  leave() {
    if (this.left) return;
    this.left = true;
    window.location.assign(`${this.find("desk").dataset.base}thanks`);
  }
}
