import { createHash } from 'node:crypto';

/** The technical headers of a message in an mbox file. */
export interface MboxHead {
  /** A hash of its `Message-ID`, or ''. */
  readonly identity: string;
  readonly flags: readonly string[];
  /** Whether a mail program has deleted the message but not yet removed it from the file. */
  readonly isDeleted: boolean;
  /** The headers without those that mail programs change, for example on reading. */
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

/** Returns a hash of 72 bits. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

function valueOf(head: string, name: string): string {
  return new RegExp(`^${name}:\\s*(\\S*)`, 'im').exec(head)?.[1] ?? '';
}
