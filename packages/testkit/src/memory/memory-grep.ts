import type { GrepItem, GrepRequest } from '@trove/core';
import { decodeText, lineStarts, sliceLines, withoutLineEnd } from '@trove/text/encodings';

import { compilePathFilter } from '@trove/text/glob';

import type { MemorySource } from './memory-source.js';

/** Searches texts line by line and tables record by record. */
export function* grepObjects(source: MemorySource, request: GrepRequest): Generator<GrepItem> {
  const expression = new RegExp(
    request.regex ? request.pattern : request.pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'),
    request.ignoreCase ? 'iu' : 'u',
  );
  const chooses = compilePathFilter(request.globs, request.path);
  let left = request.limit;
  let isPast = request.after === null;
  for (const [path, { bytes, records }] of source.objects) {
    const seen = path === request.after?.path ? request.after.matches : 0;
    isPast ||= seen > 0;
    if (!isPast || !isBelow(path, request.path) || !chooses(path)) continue;
    if (records !== null) {
      const found = records
        .map((record) => ({ path, key: record.key, content: JSON.stringify(record.fields) }))
        .filter(({ content }) => expression.test(content));
      for (const item of found.slice(seen, request.limitPerObject)) {
        if (left-- === 0) return;
        yield item;
      }
    }
    if (bytes === null) continue;
    const lines = linesOf(bytes);
    const matching = [...lines.entries()].filter(([, line]) => expression.test(line));
    for (const [index, line] of matching.slice(seen, request.limitPerObject)) {
      if (left-- === 0) return;
      const column = line.search(expression) + 1;
      const match = { lines: [index + 1, index + 1], column } as const;
      if (request.onlyMatching) {
        const all = line.match(new RegExp(expression, `${expression.flags}g`)) ?? [];
        const content = all.filter((text) => text !== '').join('\n');
        yield { path, lines: match.lines, content, match };
        continue;
      }
      const from = Math.max(0, index - request.context);
      const shown = lines.slice(from, index + request.context + 1);
      yield { path, lines: [from + 1, from + shown.length], content: shown.join('\n'), match };
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
