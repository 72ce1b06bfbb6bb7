// rankings/links.html: prints the sheet of links.

document.querySelector("#print").addEventListener("click", () => window.print());
