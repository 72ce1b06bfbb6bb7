// participation/thanks.html and task/links.html: puts words into the clipboard, which over plain
// HTTP only a selection can.

export async function copy(words) {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    const field = Object.assign(document.createElement("textarea"), {
      value: words,
      readOnly: true,
    });
    const before = document.activeElement;
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    before?.focus();
    return copied;
  }
}
