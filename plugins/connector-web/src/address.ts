/** Longer addresses are the work of a program that adds to them with every link. */
const maxAddressChars = 2000;
/** In a path: more names, or the same name more often than this, lead in circles. */
const maxNames = 30;
const maxRepeats = 3;

/** Say where a visitor came from, or who it is, and nothing about the page. */
const trackingParameter =
  /^(?:utm_\w+|gclid|fbclid|msclkid|mc_[ce]id|_ga|_gl|yclid|igshid|phpsessid|jsessionid|sessionid|sid)$/i;

/**
 * An address as it is asked for and compared: without fragment, session and tracking, its escapes in one form. Null for
 * what no page is at.
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

/** Why an address is taken for one of endlessly many; null if it is not. */
export function trapReasonOf({ pathname }: URL): string | null {
  const names = pathname.split('/').filter((name) => name !== '');
  if (names.length > maxNames) return `more than ${maxNames} folders deep`;
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return most > maxRepeats ? 'the same folder again and again' : null;
}

/** Escapes that are not needed are taken out, the others written in upper case, and a lone `%` is escaped. */
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
