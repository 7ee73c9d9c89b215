import { once } from 'node:events';
import type { WriteStream } from 'node:tty';

import { type Style, styleFor } from '@trove/commands';

import { supportsLinks, toLink } from './links.js';
import { toPrintable, toPrintableName } from './printable.js';

const defaultColumns = 80;
/** Empties the current line of a terminal. */
export const clearLine = '\r\u001b[2K';

/** An output stream of a command. */
export interface Sink {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly style: Style;
  /** Makes external text harmless on a terminal. Returns it unchanged elsewhere. */
  safe(text: string): string;
  /** Like `safe`, for a name or a path. */
  safeName(text: string): string;
  /** Makes a text a link if the terminal supports links and there is a URL. */
  link(text: string, address: string | null): string;
  /** Writes text verbatim. Resolves when the stream has room for more. */
  write(text: string): Promise<void>;
  line(text?: string): Promise<void>;
}

type TerminalStream = NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

/** Creates a sink for a stream of the process. */
export function createSink(stream: TerminalStream, env: NodeJS.ProcessEnv): Sink {
  const isTerminal = stream.isTTY === true;
  const links = isTerminal && supportsLinks(env);
  const write = async (text: string) => {
    if (text !== '' && !stream.write(text)) await once(stream, 'drain');
  };
  return {
    isTerminal,
    style: styleFor(isTerminal, env),
    get columns() {
      return stream.columns ?? defaultColumns;
    },
    safe: isTerminal ? toPrintable : (text) => text,
    safeName: isTerminal ? toPrintableName : (text) => text,
    link: (text, address) => (links && address !== null ? toLink(text, address) : text),
    write,
    line: (text = '') => write(`${text}\n`),
  };
}

/** The streams for results and for all other output. */
export interface OutputSinks {
  readonly out: Sink;
  readonly err: Sink;
}
