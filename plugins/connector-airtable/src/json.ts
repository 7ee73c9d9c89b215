export type JsonMembers = Readonly<Record<string, unknown>>;

export function isJson(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a member of an object as a text, or ''. */
export function textAt(value: unknown, name: string): string {
  const found = isJson(value) ? value[name] : undefined;
  return typeof found === 'string' ? found : '';
}
