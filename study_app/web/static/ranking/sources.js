// ranking/new.html: whoever gives a table or a set has said where the queries come from.

const sources = { table: "table", sketch_set: "sets" };

document.querySelector("#sources")?.addEventListener("change", ({ target }) => {
  const source = sources[target.name];
  if (source) document.querySelector(`#sources [name=source][value=${source}]`).checked = true;
});
