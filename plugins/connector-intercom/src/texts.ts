import { htmlToMarkdown } from '@trove/connector-kit/http';

/** Messages are HTML, and so may be subjects and attributes. Other texts in angle brackets are no tags. */
const tag =
  /<\/?(?:a|b|blockquote|br|code|div|em|h[1-6]|i|img|li|ol|p|pre|span|strong|table|u|ul)\b[^<>]*>/i;
const maxTitleChars = 80;

/** Returns a text that may be HTML as plain text. */
export function plainText(text: string | null | undefined): string {
  const given = text ?? '';
  return tag.test(given) ? htmlToMarkdown(given) : given.trim();
}

/** Returns the beginning of a text as a title. */
export function firstWords(text: string): string | undefined {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const chars = Array.from(line);
  const short = chars.length > maxTitleChars ? `${chars.slice(0, maxTitleChars).join('')}…` : line;
  return short === '' ? undefined : short;
}

/** Returns attributes as texts `name: value`. Objects and empty values are left out. */
export function attributeTexts(
  attributes: Readonly<Record<string, unknown>> | null | undefined,
): readonly string[] {
  return Object.entries(attributes ?? {}).flatMap(([name, value]) => {
    const isScalar = ['string', 'number', 'boolean'].includes(typeof value);
    return isScalar && value !== '' ? [`${name}: ${plainText(String(value))}`] : [];
  });
}

/** Returns a time of the service, in seconds since 1970, as an ISO date. */
export function isoTime(seconds: number | null | undefined): string | undefined {
  return typeof seconds === 'number' ? new Date(seconds * 1000).toISOString() : undefined;
}
