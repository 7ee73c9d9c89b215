const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `12,345`. */
export function formatCount(value: number | null): string {
  return (value ?? 0).toLocaleString('en-US');
}

/** `1,204 objects`, `1 object`. */
export function plural(count: number | null, noun: string, many = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : many}`;
}

/** Bytes: `1.2 kB`. */
export function formatSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** `0.4 s`, `2 min 05 s`, `1 h 02 min`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${pad(whole % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
}

/** How long ago something was: `just now`, `5 min ago`, `3 d ago`. */
export function formatAge(timestamp: string, now: number = Date.now()): string {
  const minutes = Math.floor((now - Date.parse(timestamp)) / 60_000);
  if (Number.isNaN(minutes)) return timestamp;
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 2880
    ? `${Math.floor(minutes / 60)} h ago`
    : `${Math.floor(minutes / 1440)} d ago`;
}

/** How long until something: `in 5 min`, `in 3 d`. A past time is `now`. */
export function formatWait(timestamp: string, now: number = Date.now()): string {
  const minutes = Math.ceil((Date.parse(timestamp) - now) / 60_000);
  if (Number.isNaN(minutes)) return timestamp;
  if (minutes < 1) return 'now';
  if (minutes < 60) return `in ${minutes} min`;
  return minutes < 2880 ? `in ${Math.floor(minutes / 60)} h` : `in ${Math.floor(minutes / 1440)} d`;
}

/** A relevance score: `0.83`. Only a full score is `1.00`. */
export function formatScore(score: number): string {
  const largestPart = 0.99;
  return score < 1 ? Math.min(largestPart, score).toFixed(2) : '1.00';
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
