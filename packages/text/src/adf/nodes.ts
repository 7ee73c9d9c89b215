/** A node of a document in Atlassian's format, with the members that the converter reads. */
export interface AdfNode {
  readonly type: string;
  readonly text: string;
  readonly attrs: Readonly<Record<string, unknown>>;
  readonly content: readonly unknown[];
  readonly marks: readonly unknown[];
}

/** Reads a node. Members of another type count as absent. Null: the value is not a node. */
export function readNode(value: unknown): AdfNode | null {
  if (!isRecord(value) || typeof value['type'] !== 'string') return null;
  const { type, text, attrs, content, marks } = value;
  return {
    type,
    text: typeof text === 'string' ? text : '',
    attrs: isRecord(attrs) ? attrs : {},
    content: Array.isArray(content) ? content : [],
    marks: Array.isArray(marks) ? marks : [],
  };
}

export function childrenOf({ content }: AdfNode): readonly AdfNode[] {
  return content.flatMap((child) => readNode(child) ?? []);
}

/** Returns the first attribute that is a text and not empty. '' for none. */
export function textAttribute({ attrs }: AdfNode, ...names: readonly string[]): string {
  for (const name of names) {
    const value = attrs[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
