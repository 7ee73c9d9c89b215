const separator = ' > ';

/** Writes the headings above a passage as one text for its metadata. */
export function joinSection(headings: readonly string[]): string {
  return headings.join(separator);
}

/** Tests if a passage is a part of an imported document. */
export function isPartOfDocument(metadata: Readonly<Record<string, unknown>>): boolean {
  return typeof metadata['chunk_index'] === 'number';
}

/** Returns the headings above a passage, which `metadata.section` states; outermost first. */
export function sectionOf({ section }: Readonly<Record<string, unknown>>): string[] {
  return typeof section === 'string' ? section.split(separator).filter((each) => each !== '') : [];
}
