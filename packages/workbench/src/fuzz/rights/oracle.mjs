import { Violation } from '../findings.mjs';
import { markerPattern } from './marked-sources.mjs';

const levels = ['read', 'sync', 'admin'];

/**
 * Checks that an answer names no object that is hidden from the holder of the token, and that operations beyond its
 * rights are refused. A marker that the request itself contains may be repeated.
 */
export function checkHolder(holder, { operation: { id, rights }, intent }, request, answer) {
  const about = (law, message) =>
    new Violation(`rights ${law} ${id}`, `${id} as ${holder.name} (${holder.rights}): ${message}`, {
      paths: holder.paths,
      request: { method: request.method, target: request.target, body: textOf(request.body) },
      answer: { status: answer.status, text: answer.text.slice(0, 5000) },
    });
  // Other faults of a hostile request may be reported first.
  const isBeyond =
    intent === 'valid' &&
    rights !== undefined &&
    levels.indexOf(rights) > levels.indexOf(holder.rights);
  if (isBeyond && answer.status !== 403) throw about('beyond', `status ${answer.status}, not 403`);
  const asked = markersIn(`${decoded(request.target)}\n${textOf(request.body)}`);
  const headers = JSON.stringify(answer.headers);
  for (const marker of markersIn(`${answer.text}\n${headers}\n${decodedCursors(answer.text)}`)) {
    if (holder.seen.has(marker) || asked.has(marker)) continue;
    throw about('hidden', `the answer names ${marker}`);
  }
}

function markersIn(text) {
  return new Set(text.match(markerPattern));
}

/** Cursors are texts in base64url, which may contain paths. */
function decodedCursors(text) {
  const cursors = text.match(/[\w-]{24,}/g) ?? [];
  return cursors.map((cursor) => Buffer.from(cursor, 'base64url').toString()).join('\n');
}

function decoded(target) {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

function textOf(body) {
  return body === undefined ? '' : body.toString().slice(0, 100_000);
}
