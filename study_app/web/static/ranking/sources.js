// ranking/new.html: choosing a table or a set also selects it as the source of the queries.

const sources = { table: "table", sketch_set: "sets" };

document.querySelector("#sources")?.addEventListener("change", ({ target }) => {
  const source = sources[target.name];
  if (source) document.querySelector(`#sources [name=source][value=${source}]`).checked = true;
});
