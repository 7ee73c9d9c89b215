/** What the task asks its caller: where the files of a source are. */
export interface LocateRequest {
  readonly client_id: string;
  readonly root: string;
}

/** Says which folder has the stored files of a source; null for none. */
export type Locate = (source: LocateRequest) => Promise<string | null>;
