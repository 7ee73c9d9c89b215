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
  const usedNames = new Set<string>();
  return parts.slice(0, maxAttachments).map((part) => {
    const cleanedName = cleanName(part.name);
    const dot = cleanedName.lastIndexOf('.');
    const [stem, end] =
      dot > 0 ? [cleanedName.slice(0, dot), cleanedName.slice(dot)] : [cleanedName, ''];
    let name = cleanedName;
    for (let number = 2; usedNames.has(name); number++) name = `${stem} (${number})${end}`;
    usedNames.add(name);
    return { ...part, name };
  });
}

function cleanName(original: string): string {
  const name = original
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
