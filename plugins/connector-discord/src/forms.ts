/** A channel of the server, as the list of channels shows it. */
export interface DiscordChannel {
  readonly id: string;
  readonly type: number;
  readonly name: string;
  readonly topic?: string | null;
  readonly parent_id?: string | null;
  readonly nsfw?: boolean;
  readonly last_message_id?: string | null;
  readonly permission_overwrites?: readonly Overwrite[];
  readonly available_tags?: readonly { readonly id: string; readonly name: string }[];
}

/** Rights that a channel gives or takes. `type`: 0 for a role, 1 for a member. */
export interface Overwrite {
  readonly id: string;
  readonly type: number;
  readonly allow: string;
  readonly deny: string;
}

export interface DiscordRole {
  readonly id: string;
  readonly permissions: string;
}

export interface DiscordThread {
  readonly id: string;
  readonly type: number;
  readonly name: string;
  readonly parent_id?: string | null;
  readonly last_message_id?: string | null;
  readonly message_count?: number;
  readonly applied_tags?: readonly string[];
  readonly thread_metadata: {
    readonly archived: boolean;
    readonly archive_timestamp: string;
    readonly locked?: boolean;
  };
}

interface DiscordUser {
  readonly id: string;
  readonly username: string;
  readonly global_name?: string | null;
  readonly bot?: boolean;
}

interface Embed {
  readonly title?: string;
  readonly description?: string;
  readonly fields?: readonly { readonly name: string; readonly value: string }[];
}

interface Attachment {
  readonly filename: string;
  readonly description?: string;
}

/** What a message and a forwarded one have in common. */
interface Body {
  readonly content: string;
  readonly mentions?: readonly DiscordUser[];
  readonly embeds?: readonly Embed[];
  readonly attachments?: readonly Attachment[];
}

export interface DiscordMessage extends Body {
  readonly id: string;
  readonly channel_id: string;
  readonly type: number;
  readonly author: DiscordUser;
  readonly timestamp: string;
  readonly edited_timestamp?: string | null;
  readonly pinned?: boolean;
  readonly webhook_id?: string;
  readonly sticker_items?: readonly { readonly name: string }[];
  readonly reactions?: readonly { readonly emoji: { readonly name: string | null } }[];
  readonly message_reference?: { readonly message_id?: string };
  readonly referenced_message?: DiscordMessage | null;
  readonly message_snapshots?: readonly { readonly message: Body }[];
  readonly poll?: {
    readonly question: { readonly text?: string };
    readonly answers: readonly { readonly poll_media: { readonly text?: string } }[];
  };
}
