import { execFileSync } from 'node:child_process';

/** A member of a hand-made archive, with any header fields. */
export interface RawMember {
  readonly name: string | Uint8Array;
  readonly content?: string | Uint8Array;
  /** The type flag: `0` a file, `5` a folder, `2` a link, `x` and `L` headers of the next member. */
  readonly type?: string;
  /** Size in the header. Default: the length of the content. */
  readonly size?: number;
  readonly link?: string;
}

export const tarType = 'application/x-tar';

const block = 512;

/** Builds a tar archive of the members and its end. */
export function tarOf(...members: readonly RawMember[]): Buffer {
  return Buffer.concat([...members.map(memberOf), tarEnd]);
}

export const tarEnd = Buffer.alloc(2 * block);

/** Builds a header with its padded content. */
export function memberOf(member: RawMember): Buffer {
  const content = Buffer.from(member.content ?? '');
  const padding = Buffer.alloc((block - (content.byteLength % block)) % block);
  return Buffer.concat([headerOf(member, content.byteLength), content, padding]);
}

function headerOf({ name, type = '0', size, link = '' }: RawMember, length: number): Buffer {
  const header = Buffer.alloc(block);
  const octal = (value: number, at: number, width: number): void => {
    header.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at);
  };
  header.set(Buffer.from(name).subarray(0, 100));
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  const said = size ?? length;
  if (said < 8 ** 11) octal(said, 124, 12);
  else {
    header.writeUInt8(0x80, 124);
    header.writeBigUInt64BE(BigInt(said), 128);
  }
  octal(1_700_000_000, 136, 12);
  header.write(' '.repeat(8), 148);
  header.write(type, 156);
  header.write(link, 157, 100);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** Builds a member whose name does not fit into its header. */
export function longNamed(name: string, content = ''): Buffer {
  const long = memberOf({ name: '././@LongLink', type: 'L', content: `${name}\0` });
  return Buffer.concat([long, memberOf({ name: name.slice(0, 100), content })]);
}

/** Packs a folder with the system's tar. */
export function packed(folder: string, ...options: readonly string[]): Buffer {
  const command = ['-C', folder, ...options, '-cf', '-', '.'];
  return execFileSync('tar', command, { maxBuffer: 2 ** 30 });
}
