// Record page: photos that were taken and not yet received by the server, kept in the browser through a reload.

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

// A browser that keeps nothing (full, or private) must not stop the photo from being sent.
export async function keep(photo) {
  // The bytes, since a file of the device may be gone when it is read again.
  const bytes = await photo.file.arrayBuffer();
  await within("readwrite", (store) => store.put({ ...photo, file: bytes, name: photo.file.name })).catch(() => {});
}

export const drop = (id) => within("readwrite", (store) => store.delete(id)).catch(() => {});

// The photos of a sitting that wait, oldest first.
export async function kept(sitting) {
  const all = await within("readonly", (store) => store.getAll()).catch(() => []);
  return all.filter((photo) => photo.store === sitting).sort((a, b) => a.at - b.at)
    .map(({ name, ...photo }) => ({ ...photo, file: new File([photo.file], name) }));
}
