// The record page: what a tab remembers through a reload, where its browser lets it.

export function remember(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch { /* A full or locked browser: it is known until the page is closed. */ }
}

export function remembered(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null;
  }
}
