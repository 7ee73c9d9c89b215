import { once } from 'node:events';
import type { WriteStream } from 'node:tty';

import { type Style, styleFor } from '@trove/commands';

import { knowsLinks, linked } from './links.js';
import { printable, printableName } from './printable.js';

const DEFAULT_COLUMNS = 80;

/** One of the two streams of a command. */
export interface Sink {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly style: Style;
  /** Makes external text harmless on a terminal; unchanged elsewhere. */
  safe(text: string): string;
  /** The same for a name or a path. */
  safeName(text: string): string;
  /** Makes a text a link where the terminal knows links; unchanged elsewhere, and without an address. */
  link(text: string, address: string | null): string;
  /** Writes text verbatim; resolves when there is room for more. */
  write(text: string): Promise<void>;
  line(text?: string): Promise<void>;
}

type Stream = NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

/** A sink over a stream of the process. */
export function sink(stream: Stream, env: NodeJS.ProcessEnv): Sink {
  const isTerminal = stream.isTTY === true;
  const links = isTerminal && knowsLinks(env);
  const write = async (text: string) => {
    if (text !== '' && !stream.write(text)) await once(stream, 'drain');
  };
  return {
    isTerminal,
    style: styleFor(isTerminal, env),
    get columns() {
      return stream.columns ?? DEFAULT_COLUMNS;
    },
    safe: isTerminal ? printable : (text) => text,
    safeName: isTerminal ? printableName : (text) => text,
    link: (text, address) => (links && address !== null ? linked(text, address) : text),
    write,
    line: (text = '') => write(`${text}\n`),
  };
}

/** Where results go, and where everything else goes. */
export interface Output {
  readonly out: Sink;
  readonly err: Sink;
}
