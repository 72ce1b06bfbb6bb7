// Pages made for paper: their button prints them.

document.querySelector("[data-print]").addEventListener("click", () => window.print());
