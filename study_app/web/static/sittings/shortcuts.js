// Recording page: keys while the groups on photos are shown.

import { gettext } from "../modules/texts.js";

// Shortcuts: digits and Enter move the selected cards, N puts them into a new group, M merges the
// pressed groups, Escape deselects.
export function press(proposal, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input")) return;
  if (/^\d$/.test(event.key)) {
    proposal.typed = (proposal.typed || "") + event.key;
    return;
  }
  const typed = Number(proposal.typed || 0);
  proposal.typed = "";
  if (event.key === "Enter" && typed && proposal.chosen.size) {
    event.preventDefault();
    const key = proposal.keys.find((other) => proposal.number(other) === typed);
    if (key) proposal.move(key);
    else {
      proposal.panel.showStatus(
        gettext("Group %(number)s is not on this photo. Press N for a new group.", {
          number: typed,
        }),
      );
    }
  } else if (/^n$/i.test(event.key)) proposal.split();
  else if (/^m$/i.test(event.key) && proposal.pressed.length > 1) proposal.merge();
  else if (event.key === "Escape") proposal.deselect();
  else if (event.key === "PageDown" || event.key === "PageUp") flip(proposal, event);
}

function flip(proposal, event) {
  if (proposal.overlays.length < 2) return;
  event.preventDefault();
  proposal.turn(proposal.at + (event.key === "PageDown" ? 1 : -1));
  proposal.overlay.stops[0]?.element.focus();
}
