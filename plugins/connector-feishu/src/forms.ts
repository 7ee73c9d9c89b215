/** The members of Feishu's objects that the connector uses. */
export interface FeishuMessage {
  readonly message_id: string;
  readonly root_id?: string;
  readonly parent_id?: string;
  readonly thread_id?: string;
  readonly msg_type: string;
  readonly sender?: { readonly id?: string; readonly sender_name?: string };
  readonly body?: { readonly content?: string };
  readonly mentions?: readonly { readonly key: string; readonly name: string }[];
}

export interface WikiNode {
  readonly node_token: string;
  readonly obj_token: string;
  /** `docx`, `sheet`, `bitable`, … */
  readonly obj_type: string;
  /** A shortcut points to a node in another place. */
  readonly node_type: 'origin' | 'shortcut';
  readonly title: string;
}

export interface FeishuFile {
  readonly token: string;
  readonly name: string;
  /** `folder`, `docx`, `file`, … */
  readonly type: string;
}

/** Returns an item as the service documents it. Members may be absent. */
export function membersOf<T>(item: unknown): Partial<T> {
  return Object(item);
}
