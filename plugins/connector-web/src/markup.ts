import { setImmediate as immediate } from 'node:timers/promises';
import { Parser } from 'htmlparser2';

/** Characters parsed in one turn. */
const chunkChars = 64 * 1024;
/** Elements within elements: beyond, each takes longer than the one before. */
const maxDepth = 10_000;

/** Takes the elements of a page or of XML as they come. */
export interface MarkupReader {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(text: string): void;
  close(name: string): void;
}

class DepthError extends Error {}

/** Reads markup in short turns, as far as its elements are nested as people nest them. */
export async function readMarkup(
  markup: string,
  reader: MarkupReader,
  { xmlMode = false } = {},
): Promise<void> {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (++depth > maxDepth) throw new DepthError();
        reader.open(name, attributes);
      },
      ontext: (text) => reader.text(text),
      onclosetag: (name) => {
        depth--;
        reader.close(name);
      },
    },
    { xmlMode },
  );
  try {
    for (let at = 0; at < markup.length; at += chunkChars) {
      if (at > 0) await immediate();
      parser.write(markup.slice(at, at + chunkChars));
    }
    parser.end();
  } catch (error) {
    if (!(error instanceof DepthError)) throw error;
  }
}
