/** Whether an authority has the form `user:password@host`. */
export function holdsPassword(authority: string): boolean {
  const colon = authority.indexOf(':');
  return colon !== -1 && authority.includes('@', colon);
}

export function plainSecretWarning(key: string): string {
  return `The secret config.${key} is stored as plain text. Use a reference instead: "env:NAME" or "file:/path"`;
}
