import type { GrepItem, GrepRequest } from '@trove/core';
import { decodeText, lineStarts, sliceLines, withoutLineEnd } from '@trove/core/content';

import type { MemorySource } from './memory-source.js';

/** Searches the text objects of a source, line by line. */
export function* grepObjects(source: MemorySource, request: GrepRequest): Generator<GrepItem> {
  const expression = new RegExp(
    request.regex ? request.pattern : request.pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'),
    request.ignoreCase ? 'iu' : 'u',
  );
  let left = request.limit;
  for (const [path, { bytes }] of source.objects) {
    if (bytes === null || !isBelow(path, request.path)) continue;
    const lines = linesOf(bytes);
    for (const [index, line] of lines.entries()) {
      if (!expression.test(line)) continue;
      if (left-- === 0) return;
      const from = Math.max(0, index - request.context);
      const shown = lines.slice(from, index + request.context + 1);
      yield { path, lines: [from + 1, from + shown.length], content: shown.join('\n') };
    }
  }
}

function isBelow(path: string, scope: string): boolean {
  return scope === '' || path === scope || path.startsWith(`${scope}/`);
}

function linesOf(bytes: Uint8Array): string[] {
  const text = decodeText(bytes)?.text ?? '';
  const starts = lineStarts(text);
  return starts.map((_, index) => withoutLineEnd(sliceLines(text, starts, index + 1, index + 1)));
}
