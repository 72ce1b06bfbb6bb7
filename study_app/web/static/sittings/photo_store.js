// Recording page: photos that the server has not received yet, stored in the browser so that they
// survive a reload.

const STORE = "photos";

function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("sketch-study-photos", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

// One transaction; `work` gets the object store and returns the request whose result is wanted.
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

// Like EntryStore in modules/outbox.js, for the photos of one sitting. They must also be sent if the
// browser cannot store them (disk full, private window).
export class PhotoStore {
  constructor(sitting) {
    this.sitting = sitting;
    this.memory = new Map();
    this.unstored = new Set();
  }

  async put(name, photo) {
    this.memory.set(name, { ...photo, store: this.sitting });
    this.unstored.add(photo.id);
    // The bytes, since the device may delete the file before it is read again.
    const bytes = await photo.file.arrayBuffer();
    const stored = { ...photo, store: this.sitting, at: name, file: bytes, name: photo.file.name };
    if (this.memory.has(name)) {
      await within("readwrite", (store) => store.put(stored)).then(
        () => this.unstored.delete(photo.id),
        () => {},
      );
    }
    if (!this.memory.has(name)) await this.#delete(photo.id);
  }

  remove(name) {
    const photo = this.memory.get(name);
    this.memory.delete(name);
    this.unstored.delete(photo.id);
    return this.#delete(photo.id);
  }

  #delete(id) {
    return within("readwrite", (store) => store.delete(id)).catch(() => {});
  }

  // Whether closing this page would lose a photo.
  get hasUnstored() {
    return this.unstored.size > 0;
  }

  all() {
    return [...this.memory].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  // Load the photos that a closed or reloaded page had not sent.
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
