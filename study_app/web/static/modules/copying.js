// participation/thanks.html and task/links.html: copies text to the clipboard. Over plain HTTP there
// is no clipboard API, so the text is selected in a text field and copied from there.

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = Object.assign(document.createElement("textarea"), {
      value: text,
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
