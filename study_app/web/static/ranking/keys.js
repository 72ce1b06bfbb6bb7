// ranking/rank.html: keyboard shortcuts while an image or a button in the footer has the focus.

export class Keys {
  constructor(page, parts) {
    this.page = page;
    for (const part of parts) {
      part.addEventListener("keydown", (event) => {
        if (this.pressed(event)) event.preventDefault();
      });
    }
  }

  pressed(event) {
    const { page } = this;
    if (event.altKey || event.ctrlKey || event.metaKey || page.ranking.over) return false;
    const onImage = event.target.closest(".stimulus");
    if (!onImage && !event.target.closest(".bar button")) return false;
    if (onImage && this.score(event)) return true;
    const action = {
      n: () => page.goToUnscored(),
      o: () => page.review(!page.reviewing),
      // A key that is held down must not submit further queries.
      s: page.reviewing && !event.repeat && (() => page.submit()),
      " ": onImage && (() => page.enlarge()),
    }[event.key.toLowerCase()];
    action?.();
    return Boolean(action);
  }

  score(event) {
    const { scale } = this.page;
    if (scale.nudge(event.key)) return true;
    if (event.key === "Enter" && scale.range && event.target.closest(".stimulus")) {
      scale.take();
      return true;
    }
    const value = scale.valueOf(event);
    if (value === null) return false;
    if (!event.repeat) scale.give(value);
    return true;
  }
}
