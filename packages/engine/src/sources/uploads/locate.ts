/** A task's question to its caller: where are the files of a source? */
export interface LocateRequest {
  readonly client_id: string;
  readonly root: string;
}

/** Returns the folder with the stored files of a source, or null. */
export type Locate = (source: LocateRequest) => Promise<string | null>;
