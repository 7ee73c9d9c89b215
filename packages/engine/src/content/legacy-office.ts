/** Extensions of Office formats up to 2003, with the formats to convert them to. */
const successors: ReadonlyMap<string, string> = new Map([
  ['doc', 'docx'],
  ['dot', 'docx'],
  ['xls', 'xlsx'],
  ['xlt', 'xlsx'],
  ['ppt', 'pptx'],
  ['pps', 'pptx'],
  ['pot', 'pptx'],
]);

/** Tells how to convert a document in a legacy format; null for other files. */
export function conversionHint(path: string): string | null {
  const successor = successors.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
  if (successor === undefined) return null;
  return `save it as .${successor} or run \`soffice --headless --convert-to ${successor} FILE\``;
}
