/** Longer addresses usually come from a program that extends them with every link. */
const maxAddressChars = 2000;
/** A path with more names, or with more repetitions of one name, leads in circles. */
const maxNames = 30;
const maxRepeats = 3;

/** Query parameters about the visitor, which do not affect the page. */
const trackingParameter =
  /^(?:utm_\w+|gclid|fbclid|msclkid|mc_[ce]id|_ga|_gl|yclid|igshid|phpsessid|jsessionid|sessionid|sid)$/i;

/**
 * Parses an address and normalizes it: no fragment, session or tracking parameters, and uniform escapes. Returns null for
 * an address that cannot have a page.
 */
export function parseAddress(text: string, base?: URL): URL | null {
  const trimmed = text.trim();
  if (trimmed.length > maxAddressChars || !URL.canParse(trimmed, base?.href)) return null;
  const url = new URL(trimmed, base);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (!isWeb || url.username !== '' || url.password !== '') return null;
  url.hash = '';
  url.pathname = normalizeEscapes(url.pathname).replaceAll(/;jsessionid=[^/]*/gi, '');
  url.search = removeTracking(normalizeEscapes(url.search)).replaceAll('/', '%2F');
  return url.href.length > maxAddressChars ? null : url;
}

/** Returns the reason why an address looks like part of an endless series; null if it does not. */
export function trapReasonOf({ pathname }: URL): string | null {
  const names = pathname.split('/').filter((name) => name !== '');
  if (names.length > maxNames) return `more than ${maxNames} folders deep`;
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return most > maxRepeats ? 'the same folder again and again' : null;
}

/** Removes needless escapes, writes the others in upper case, and escapes a lone `%`. */
function normalizeEscapes(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})?/gi, (_, hex: string | undefined) => {
    if (hex === undefined) return '%25';
    const char = String.fromCharCode(Number.parseInt(hex, 16));
    return /[a-z0-9._~-]/i.test(char) ? char : `%${hex.toUpperCase()}`;
  });
}

function removeTracking(search: string): string {
  const kept = search
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '' && !trackingParameter.test(pair.split('=', 1)[0] ?? ''));
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}
