/** What every command gets. */
export interface ServerContext {
  readonly out: { write(text: string): Promise<void> };
}
