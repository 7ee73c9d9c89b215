const dayMs = 24 * 60 * 60 * 1000;
/** Older times are defaults of programs, such as 1970. */
const earliest = Date.UTC(1990);

/** Months by the first letters of their names in English, German, French, Spanish and Italian. */
const months: readonly RegExp[] = [
  /^(?:jan|ene|gen)/,
  /^(?:feb|fev|fév)/,
  /^(?:mar|mär|mrz)/,
  /^(?:apr|avr|abr)/,
  /^(?:may|mai|mag)/,
  /^(?:jun|juin|giu)/,
  /^(?:jul|juil|lug)/,
  /^(?:aug|aou|aoû|ago)/,
  /^(?:sep|set)/,
  /^(?:oct|okt|ott)/,
  /^nov/,
  /^(?:dec|dez|déc|dic)/,
];

/** Hours that zones are ahead of UTC. Other names count as UTC. */
const zoneHours: Readonly<Record<string, number>> = {
  edt: -4,
  est: -5,
  cdt: -5,
  cst: -6,
  mdt: -6,
  mst: -7,
  pdt: -7,
  pst: -8,
  bst: 1,
  cet: 1,
  met: 1,
  cest: 2,
  mest: 2,
  eet: 2,
  eest: 3,
  msk: 3,
  jst: 9,
  kst: 9,
  aest: 10,
  aedt: 11,
};

const clock = String.raw`(?:[\sT]{1,9}(\d{1,2}):?(\d{2})(?::?(\d{2})(?:[.,]\d{1,9})?)?\s{0,9}([ap]m)?)?`;
const zone = String.raw`\s{0,9}\(?(z|[+-]\d{1,2}:?\d{2}|[a-z]{2,5})?\b`;
const isoDate = new RegExp(String.raw`^(\d{4})-?(\d{2})(?:-?(\d{2}))?${clock}${zone}`, 'i');
const mailDate = new RegExp(
  String.raw`^(?:[^\d\s]{1,20}\s{1,9})?(\d{1,2})(?:st|nd|rd|th)?[\s.-]{1,9}(\p{L}{3,12})\.?,?[\s-]{1,9}(\d{4}|\d{2})\b${clock}${zone}`,
  'iu',
);
const americanDate = new RegExp(
  String.raw`^(\p{L}{3,12})\.?\s{1,9}(\d{1,2})(?:st|nd|rd|th)?,?\s{1,9}(\d{4})\b${clock}${zone}`,
  'iu',
);

/**
 * Parses a date as feeds contain it: of mails or ISO, with errors. A time without a zone is in UTC. Returns null for an
 * unknown form, and for a time before 1990 or in the future.
 */
export function feedDateOf(text: string, now: number): number | null {
  const short = text
    .slice(0, 100)
    .replace(/^\s*[^\d,]{1,20},/, '')
    .trim();
  const time = isoTime(short) ?? mailTime(short) ?? americanTime(short) ?? systemTime(short);
  return time !== null && time >= earliest && time <= now + dayMs ? Math.min(time, now) : null;
}

function isoTime(text: string): number | null {
  const [match, year, month, day = '1', ...rest] = isoDate.exec(text) ?? [];
  return match === undefined ? null : timeOf(Number(year), Number(month) - 1, Number(day), rest);
}

function mailTime(text: string): number | null {
  const [match, day, month = '', year = '', ...rest] = mailDate.exec(text) ?? [];
  if (match === undefined) return null;
  const century = Number(year) < 70 ? 2000 : 1900;
  const fullYear = year.length === 4 ? Number(year) : century + Number(year);
  return timeOf(fullYear, monthOf(month), Number(day), rest);
}

function americanTime(text: string): number | null {
  const [match, month = '', day, year, ...rest] = americanDate.exec(text) ?? [];
  return match === undefined ? null : timeOf(Number(year), monthOf(month), Number(day), rest);
}

/** Understands rare forms such as `Thu Mar 5 10:00:00 2026`. */
function systemTime(text: string): number | null {
  const hasZone = /[+-]\d{2}:?\d{2}$|[a-z]$/i.test(text);
  const time = Date.parse(hasZone ? text : `${text} UTC`);
  return Number.isNaN(time) ? null : time;
}

function monthOf(name: string): number {
  const lower = name.toLowerCase();
  return months.findIndex((pattern) => pattern.test(lower));
}

function timeOf(
  year: number,
  month: number,
  day: number,
  [hours = '0', minutes = '0', seconds = '0', half, zoneName = '']: readonly (string | undefined)[],
): number | null {
  if (month < 0 || month > 11 || day < 1 || day > 31) return null;
  const hour = half === undefined ? Number(hours) : to24Hours(Number(hours), half);
  const local = Date.UTC(year, month, day, hour, Number(minutes), Number(seconds));
  return local - offsetMs(zoneName);
}

function to24Hours(hour: number, half: string): number {
  return (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
}

function offsetMs(name: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{1,2}):?(\d{2})$/.exec(name) ?? [];
  if (sign === undefined) return (zoneHours[name.toLowerCase()] ?? 0) * 3_600_000;
  const ms = Number(hours) * 3_600_000 + Number(minutes) * 60_000;
  return sign === '-' ? -ms : ms;
}
