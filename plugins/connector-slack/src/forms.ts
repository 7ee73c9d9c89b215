/** The members of Slack's answers that the connector uses. Any of them may be absent. */
export interface SlackMessage {
  readonly ts?: string;
  readonly text?: string;
  readonly subtype?: string;
  readonly user?: string;
  readonly username?: string;
  readonly bot_id?: string;
  readonly bot_profile?: { readonly name?: string };
  readonly thread_ts?: string;
  readonly reply_count?: number;
  readonly latest_reply?: string;
  readonly edited?: { readonly ts?: string };
  readonly blocks?: readonly unknown[];
  readonly attachments?: readonly SlackAttachment[];
  readonly files?: readonly SlackFile[];
  readonly reactions?: readonly { readonly name?: string }[];
}

export interface SlackAttachment {
  readonly pretext?: string;
  readonly author_name?: string;
  readonly title?: string;
  readonly title_link?: string;
  readonly text?: string;
  readonly fallback?: string;
  readonly fields?: readonly { readonly title?: string; readonly value?: string }[];
}

export interface SlackFile {
  readonly id?: string;
  readonly name?: string;
  readonly title?: string;
  readonly mode?: string;
  readonly size?: number;
  readonly created?: number;
  readonly updated?: number;
  readonly edit_timestamp?: number;
  readonly url_private?: string;
  readonly url_private_download?: string;
}

export interface SlackChannel {
  readonly id?: string;
  readonly name?: string;
  readonly is_im?: boolean;
  readonly is_member?: boolean;
  readonly user?: string;
}

export interface SlackPerson {
  readonly name?: string;
  readonly real_name?: string;
  readonly profile?: { readonly display_name?: string; readonly real_name?: string };
}

/** Slack documents the type of each answer. Other values have none of its members. */
export function membersOf<T>(value: unknown): Partial<T> {
  return typeof value === 'object' && value !== null ? value : {};
}
