/** An attachment, which becomes a separate object. */
export interface MailAttachment {
  /** Identifies the part within its message. The store of the message defines the format. */
  readonly partId: string;
  /** A valid path segment, unique within the message. */
  readonly name: string;
  readonly mediaType: string;
}

const maxNameChars = 150;
const maxAttachments = 200;

/** Makes names unique and valid as path segments. Drops attachments beyond the limit. */
export function assignNames(parts: readonly MailAttachment[]): MailAttachment[] {
  const taken = new Set<string>();
  return parts.slice(0, maxAttachments).map((part) => {
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
    name.length > maxNameChars
      ? name.slice(0, 100).toWellFormed() + name.slice(-40).toWellFormed()
      : name;
  return /^\.{0,2}$/.test(short) ? `attachment${short}` : short;
}
