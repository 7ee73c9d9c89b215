import { createHash } from 'node:crypto';

/** What the headers of a message in an mbox file say besides what it says to people. */
export interface MboxHead {
  /** From its `Message-ID`; '' when it has none. */
  readonly identity: string;
  readonly flags: readonly string[];
  /** A mail program has deleted it, and not yet removed it from the file. */
  readonly isDeleted: boolean;
  /** The headers without those that change when somebody reads the message. */
  readonly stableHeaders: string;
}

const statusHeaders =
  /^(?:status|x-status|x-keywords|x-uid|x-mozilla-(?:status2?|keys)):.*\r?\n/gim;
const mozilla = { answered: 0x2, flagged: 0x4, expunged: 0x8, forwarded: 0x1000 } as const;

export function parseHead(head: string): MboxHead {
  const id = /^message-id:\s*(\S.*)$/im.exec(head)?.[1]?.trimEnd();
  const status = valueOf(head, 'x-status');
  const bits = Number.parseInt(valueOf(head, 'x-mozilla-status') || '0', 16);
  const has = (letter: string, bit: number): boolean =>
    status.includes(letter) || (bits & bit) !== 0;
  const flags = [
    ...(has('A', mozilla.answered) ? ['answered'] : []),
    ...(has('F', mozilla.flagged) ? ['flagged'] : []),
    ...(has('-', mozilla.forwarded) ? ['forwarded'] : []),
    ...(status.includes('T') ? ['draft'] : []),
  ];
  return {
    identity: id === undefined ? '' : shortHash(id),
    flags,
    isDeleted: has('D', mozilla.expunged),
    stableHeaders: head.replaceAll(statusHeaders, ''),
  };
}

/** A name of 72 bits. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

function valueOf(head: string, name: string): string {
  return new RegExp(`^${name}:\\s*(\\S*)`, 'im').exec(head)?.[1] ?? '';
}
