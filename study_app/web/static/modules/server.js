// Requests to the server and their errors.

import { gettext } from "./texts.js";

const meta = () => document.querySelector('meta[name="csrf-token"]');

export class Refusal extends Error {
  // `final`: the content was refused, so that sending it again is useless.
  constructor(message, status, { stale = false, final = false } = {}) {
    super(message);
    Object.assign(this, { status, stale, final });
  }
}

// Send JSON or a FormData, and return the JSON of the answer; a Refusal has the server's message.
export async function send(address, body, method = "POST") {
  try {
    return await post(address, body, method);
  } catch (refusal) {
    if (!refusal.stale) throw refusal;
  }
  await renew();
  return post(address, body, method);
}

// As `send`, for large files; `sent(share)` is told the share that was sent, from 0 to 1.
export async function upload(address, form, sent) {
  try {
    return await post(address, form, "POST", sent);
  } catch (refusal) {
    if (!refusal.stale) throw refusal;
  }
  await renew();
  return post(address, form, "POST", sent);
}

async function post(address, body, method, sent = null) {
  const form = body instanceof FormData;
  const headers = { Accept: "application/json", "X-CSRFToken": meta().content };
  if (body !== undefined && !form) headers["Content-Type"] = "application/json";
  if (sent) return answer(await transfer(address, headers, body, sent));
  return answer(
    await fetch(address, {
      method,
      headers,
      credentials: "same-origin",
      body: body === undefined || form ? body : JSON.stringify(body),
    }),
  );
}

// As `fetch`, which does not tell how much was sent.
function transfer(address, headers, body, sent) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => sent(loaded / total);
    request.onload = () => {
      const { status, responseText } = request;
      resolve({
        ok: status >= 200 && status < 300,
        status,
        json: () => Promise.resolve(responseText).then(JSON.parse),
      });
    };
    request.onerror = request.onabort = () => reject(new Error());
    request.send(body);
  });
}

// The CSRF token of the page is stale, for example after a new sign-in in this browser: fetch a new
// one, for the forms of the page, too.
async function renew() {
  const { token } = await get("/token");
  meta().content = token;
  for (const field of document.querySelectorAll('input[name="csrf_token"]')) field.value = token;
}

export async function get(address) {
  return answer(
    await fetch(address, { headers: { Accept: "application/json" }, credentials: "same-origin" }),
  );
}

async function answer(response) {
  const content = await response.json().catch(() => null);
  if (response.ok && content) return content;
  // HTML instead of JSON: the login page of a captive portal. Nothing reached the server.
  if (response.ok) throw new Error("The network answered in place of the server.");
  const { status } = response;
  const stale = Boolean(content?.stale);
  throw new Refusal(
    content?.error || gettext("The server answered %(status)s; try again.", { status }),
    status,
    {
      stale,
      final: status === 413 || ([400, 410].includes(status) && Boolean(content?.error) && !stale),
    },
  );
}
