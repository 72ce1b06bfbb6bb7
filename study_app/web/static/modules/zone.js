// Pages of researchers and of signing in: tells the server the time zone, so that it knows which day
// is today.

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
document.cookie = `zone=${timeZone}; path=/; SameSite=Lax; max-age=31536000`;
