// Files chosen with an input, also those chosen while the page's scripts were still loading.

export function onChosen(input, take) {
  const taken = () => {
    const files = [...input.files];
    input.value = "";
    take(files);
  };
  input.addEventListener("change", taken);
  if (input.files.length) taken();
}
