import { setImmediate as immediate } from 'node:timers/promises';
import { Parser } from 'htmlparser2';

/** Characters parsed in one turn. */
const chunkChars = 64 * 1024;
/** Maximum nesting, because deeper elements take increasingly long. */
const maxDepth = 10_000;

/** Receives the elements of a page or an XML document. */
export interface MarkupReader {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(text: string): void;
  close(name: string): void;
}

class DepthError extends Error {}

/** Reads markup in short turns. Stops at elements that are nested too deeply. */
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
