import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { ConnectorRow, LsEntry } from '@trove/client';

import { displayText, displayUri, shellQuote } from '../paths/display.js';
import { locateUploaded } from '../paths/uploaded-folders.js';
import { localPathOf } from '../paths/large-target.js';
import type { Cli } from '../session/cli.js';
import { formatAge, plural } from '../terminal/numbers.js';
import { findReasonNotUploaded } from '../upload/files.js';
import type { Finding } from './finding.js';

/** Tells if searches find a path, why not, and what to do. */
export interface Explanation {
  readonly verdict: 'indexed' | 'partial' | 'not_indexed' | 'not_part' | 'missing' | 'folder';
  readonly text: string;
  readonly suggestions: readonly string[];
}

/** Advice by the text of a reason, because `LsEntry.reason` has no code. Reasons without an entry get no advice. */
const adviceByReason: readonly (readonly [RegExp, (source: string) => string])[] = [
  [/^not synced yet/, (source) => `Sync the source: trove add ${source}`],
  [
    /max_file_bytes/,
    () =>
      'Raise [ingest].max_file_bytes in server.toml, or read it with `trove grep` and `trove cat`.',
  ],
  [/leads out of the source/, () => 'Add its target as another source: trove add TARGET'],
  [/is ignored by/, () => '`trove grep` skips it, too; `trove cat` can read it.'],
  [/rule `.*` of the source/, (source) => `See the rules: trove inspect ${source}`],
  [
    /scanned/,
    () => 'To recognise text in scans, set [ocr].enabled in server.toml and sync the source.',
  ],
  [/^The document requires a password/, () => 'Save a copy without a password next to it.'],
  [
    /^The document (?!requires a password|has no text)/,
    () => 'Open it in the program that created it, and save it again.',
  ],
  [/^The (?:conversion|text of the document) /, () => 'Split it into smaller documents.'],
  [/may not read/, () => "Give the server's user permission to read it."],
];

/** Explains a finding. `displayed` is the target as typed. */
export function explanationOf(
  cli: Cli,
  target: string,
  displayed: string,
  finding: Finding,
): Explanation {
  switch (finding.kind) {
    case 'outside':
      return explainOutside(cli, target, displayed, finding.below);
    case 'source':
      return explainSource(cli, finding.source);
    case 'missing':
      return (
        explainNotUploaded(cli, target, displayed, finding.source) ??
        explainMissing(cli, displayed, finding.source, finding.above)
      );
    case 'entry':
      return explainEntry(cli, displayed, finding.source, finding.entry);
  }
}

function explainOutside(
  cli: Cli,
  target: string,
  displayed: string,
  below: readonly string[],
): Explanation {
  if (below.length > 0) {
    const names = below.map((uri) => displayUri(uri, cli)).join(', ');
    return {
      verdict: 'not_part',
      text: `${displayed} is not part of any source; it contains ${plural(below.length, 'source')}: ${names}`,
      suggestions: [],
    };
  }
  const local = cli.local ? localPathOf(target) : null;
  const exists = local === null || existsSync(local);
  return {
    verdict: exists ? 'not_part' : 'missing',
    text: exists
      ? `${displayed} is not part of any source`
      : `${displayed} does not exist and is not part of any source`,
    suggestions: [
      ...(exists ? [`Add it, or a folder above it: trove add ${shellQuote(displayed)}`] : []),
      '`trove status` lists the sources.',
    ],
  };
}

function explainSource(cli: Cli, source: ConnectorRow): Explanation {
  const displayed = displayUri(source.root_uri, cli);
  const synced =
    source.last_synced_at === null ? 'never synced' : `synced ${formatAge(source.last_synced_at)}`;
  return {
    verdict: 'folder',
    text: `${displayed} is a source with ${plural(source.object_count, 'object')}, ${synced}`,
    suggestions: [...problemsOf(cli, source)],
  };
}

/**
 * Explains a path in an uploaded folder that the server does not have. Returns null if it does not exist locally
 * either.
 */
function explainNotUploaded(
  cli: Cli,
  target: string,
  displayed: string,
  source: ConnectorRow,
): Explanation | null {
  const here = locateUploaded(target, cli.uploadedFolders);
  if (here === null || !existsSync(join(here.folder, here.path))) return null;
  const reason = findReasonNotUploaded(here.folder, here.path, cli);
  const root = shellQuote(displayUri(source.root_uri, cli));
  return reason === null
    ? {
        verdict: 'not_indexed',
        text: `${displayed} is not uploaded yet`,
        suggestions: [`Upload the changes: trove add ${root}`, ...problemsOf(cli, source)],
      }
    : {
        verdict: 'not_indexed',
        text: `${displayed} is not uploaded: ${reason}`,
        suggestions: [],
      };
}

function explainMissing(
  cli: Cli,
  displayed: string,
  source: ConnectorRow,
  above: LsEntry | null,
): Explanation {
  const root = displayUri(source.root_uri, cli);
  const reason = above?.reason ?? null;
  if (above !== null && reason !== null) {
    return {
      verdict: 'not_indexed',
      text: `${displayed} is left out with ${displayUri(above.path ?? above.name, cli)}: ${displayText(reason, cli)}`,
      suggestions: adviceFor(reason, shellQuote(root)),
    };
  }
  return {
    verdict: 'missing',
    text: `${displayed} does not exist in the source ${root}`,
    suggestions: problemsOf(cli, source),
  };
}

function explainEntry(
  cli: Cli,
  displayed: string,
  source: ConnectorRow,
  entry: LsEntry,
): Explanation {
  const root = shellQuote(displayUri(source.root_uri, cli));
  const reason = entry.reason === null ? null : displayText(entry.reason, cli);
  const problems = problemsOf(cli, source);
  if (reason !== null && entry.search_status !== 'partial' && entry.search_status !== 'indexed') {
    const suggestions = [...adviceFor(reason, root), ...problems];
    return { verdict: 'not_indexed', text: `${displayed} is not indexed: ${reason}`, suggestions };
  }
  if (entry.type === 'dir') {
    const text = `${displayed} is a folder of a source; searches include it`;
    return {
      verdict: 'folder',
      text,
      suggestions: [`\`trove ls ${shellQuote(displayed)}\` lists its entries.`],
    };
  }
  if (entry.search_status === 'indexed') {
    return {
      verdict: 'indexed',
      text: `${displayed} is indexed; search and grep find it`,
      suggestions: [`Sync later changes: trove add ${root}`, ...problems],
    };
  }
  const suffix = reason === null ? '' : `: ${reason}`;
  const verdict = entry.search_status === 'partial' ? 'partial' : 'not_indexed';
  const state = verdict === 'partial' ? 'partly indexed' : 'not indexed';
  return { verdict, text: `${displayed} is ${state}${suffix}`, suggestions: problems };
}

function adviceFor(reason: string, root: string): string[] {
  return adviceByReason.flatMap(([pattern, say]) => (pattern.test(reason) ? [say(root)] : []));
}

/** Returns the error of a source or its running sync. */
function problemsOf(cli: Cli, { root_uri, status, error, detail }: ConnectorRow): string[] {
  const root = displayUri(root_uri, cli);
  if (status === 'syncing') return [`${root} is being synced: trove job list`];
  if (error === null) return [];
  return [`${root} has an error (${error}): ${displayText(detail ?? '', cli)}`];
}
