// Talking to the server: one way to send, one shape of refusal.

const csrf = () => document.querySelector('meta[name="csrf-token"]').content;

export class Refusal extends Error {
  constructor(message, status) { super(message); this.status = status; }
}

// Send JSON or a FormData and get JSON back; a refusal carries the server's sentence.
export async function send(address, body, method = "POST") {
  const form = body instanceof FormData;
  const headers = { Accept: "application/json", "X-CSRFToken": csrf() };
  if (body !== undefined && !form) headers["Content-Type"] = "application/json";
  return answer(await fetch(address, {
    method, headers, credentials: "same-origin", body: body === undefined || form ? body : JSON.stringify(body),
  }));
}

export async function get(address) {
  return answer(await fetch(address, { headers: { Accept: "application/json" }, credentials: "same-origin" }));
}

async function answer(response) {
  const said = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refusal(said.error || `The server answered ${response.status}; try again.`, response.status);
  return said;
}
