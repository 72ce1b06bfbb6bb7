// Pages of researchers and of signing in: sends the time zone to the server, which needs to know
// which day is today.

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
document.cookie = `zone=${timeZone}; path=/; SameSite=Lax; max-age=31536000`;
