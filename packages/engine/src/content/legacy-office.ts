/** The formats of Office up to 2003, by their endings, and what documents in them are saved as to be read. */
const successors: ReadonlyMap<string, string> = new Map([
  ['doc', 'docx'],
  ['dot', 'docx'],
  ['xls', 'xlsx'],
  ['xlt', 'xlsx'],
  ['ppt', 'pptx'],
  ['pps', 'pptx'],
  ['pot', 'pptx'],
]);

/** How somebody makes a document readable whose format nobody reads; null for anything else. */
export function conversionHint(path: string): string | null {
  const successor = successors.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
  if (successor === undefined) return null;
  return `save it as .${successor}, or convert it: soffice --headless --convert-to ${successor} FILE`;
}
