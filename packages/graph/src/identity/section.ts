const separator = ' > ';

/** Writes the headings above a passage as one text for its metadata. */
export function joinSection(headings: readonly string[]): string {
  return headings.join(separator);
}

/** Returns the headings above a passage, which `metadata.section` states; outermost first. */
export function sectionOf({ section }: Readonly<Record<string, unknown>>): string[] {
  return typeof section === 'string' ? section.split(separator).filter((each) => each !== '') : [];
}
