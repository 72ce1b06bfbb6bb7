// Recording page, participation/drafts.js: values that a tab keeps after a reload, if the browser
// allows it.

export function remember(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch { /* No storage: the value is kept until the page is closed. */ }
}

export function remembered(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null;
  }
}

export function forget(name) {
  try {
    sessionStorage.removeItem(name);
  } catch { /* No storage: nothing was kept. */ }
}
