// participate/thanks.html: copies the completion code; over plain HTTP there is no clipboard, so it is selected instead.

const code = document.querySelector("#code");
const said = document.querySelector("#copied");

document.querySelector("#copy")?.addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(code.textContent);
    said.textContent = "Copied.";
  } catch {
    window.getSelection().selectAllChildren(code);
    const copied = document.execCommand("copy");
    said.textContent = copied ? "Copied." : "The code is selected: copy it with Ctrl+C, or with the menu of your phone.";
  }
});
