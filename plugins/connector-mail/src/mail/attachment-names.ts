/** A part of a message that is an object of its own. */
export interface NamedPart {
  /** Where it is in the message, as whoever keeps the message tells its parts apart. */
  readonly place: string;
  /** As one level of a path, and as no other part of the message is called. */
  readonly name: string;
  readonly mediaType: string;
}

const longest = 150;
const most = 200;

/** Gives parts names that a path can hold; only so many of a message are shown. */
export function withNames(parts: readonly NamedPart[]): NamedPart[] {
  const taken = new Set<string>();
  return parts.slice(0, most).map((part) => {
    const clean = cleanName(part.name);
    const dot = clean.lastIndexOf('.');
    const [stem, end] = dot > 0 ? [clean.slice(0, dot), clean.slice(dot)] : [clean, ''];
    let name = clean;
    for (let number = 2; taken.has(name); number++) name = `${stem} (${number})${end}`;
    taken.add(name);
    return { ...part, name };
  });
}

function cleanName(given: string): string {
  const name = given
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[/\\\u0000-\u001f\u007f]+/g, '_')
    .trim();
  const short =
    name.length > longest
      ? name.slice(0, 100).toWellFormed() + name.slice(-40).toWellFormed()
      : name;
  return /^\.{0,2}$/.test(short) ? `attachment${short}` : short;
}
