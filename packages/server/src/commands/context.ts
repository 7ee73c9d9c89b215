/** The context of every command. */
export interface ServerContext {
  readonly out: { write(text: string): Promise<void> };
}
