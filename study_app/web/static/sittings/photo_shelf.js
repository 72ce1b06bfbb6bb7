// Record page: photos that were taken and not yet received by the server, kept in the browser
// through a reload.

const STORE = "photos";

function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("sketch-study-photos", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

// One transaction; `work` gets the store and gives the request whose result is wanted.
async function within(mode, work) {
  const database = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

// As the shelf of modules/outbox.js, for the photos of one sitting. A browser that keeps nothing
// (full, or private) must not stop them from being sent.
export class PhotoShelf {
  constructor(sitting) {
    this.sitting = sitting;
    this.memory = new Map();
    this.loose = new Set();
  }

  async put(name, photo) {
    this.memory.set(name, { ...photo, store: this.sitting });
    this.loose.add(photo.id);
    // The bytes, since a file of the device may be gone when it is read again.
    const bytes = await photo.file.arrayBuffer();
    const stored = { ...photo, store: this.sitting, at: name, file: bytes, name: photo.file.name };
    if (this.memory.has(name)) {
      await within("readwrite", (store) => store.put(stored)).then(
        () => this.loose.delete(photo.id),
        () => {},
      );
    }
    if (!this.memory.has(name)) await this.#drop(photo.id);
  }

  remove(name) {
    const photo = this.memory.get(name);
    this.memory.delete(name);
    this.loose.delete(photo.id);
    return this.#drop(photo.id);
  }

  #drop(id) {
    return within("readwrite", (store) => store.delete(id)).catch(() => {});
  }

  // Whether a photo would be lost with this page.
  get isLoose() {
    return this.loose.size > 0;
  }

  all() {
    return [...this.memory].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  // What a closed or reloaded page left behind.
  async load() {
    const all = await within("readonly", (store) => store.getAll()).catch(() => []);
    const known = new Set([...this.memory.values()].map(({ id }) => id));
    for (const { name, at, ...photo } of all) {
      const file = new File([photo.file], name);
      if (photo.store === this.sitting && !known.has(photo.id)) {
        this.memory.set(String(at).padStart(15, "0"), { ...photo, file });
      }
    }
  }
}
