// Printable pages: their button prints them.

document.querySelector("[data-print]").addEventListener("click", () => window.print());
