import type { DemotedReason } from '../api/schemas.js';
import { historyQuestion } from './history-questions.js';

/** Objects to demote and the queries that ask for them. */
export interface DemotionRule {
  readonly reason: DemotedReason;
  /** Matches paths below the root, in lower case. */
  readonly path?: RegExp;
  /** Matches paths of source code in their original case. */
  readonly codePath?: RegExp;
  /** Matches the beginning of a text. */
  readonly text?: RegExp;
  /** Paths, in lower case, to which `text` does not apply. */
  readonly exceptPath?: RegExp;
  /** A query with one of these words asks for such objects. */
  readonly queryWords?: string;
  /** Queries that ask for such objects. */
  readonly queryPattern?: RegExp;
}

/** Folders of tests. Documents in them are not tests. */
const testFolders = [
  '(?:[^/]*[-_.])?(?:tests?|__tests__|__mocks__|e2e)(?:[-_.][^/]*)?',
  'test(?:suites?|cases?|utils?|utilities|helpers?|mocks?|support|beds?)',
  // `caddytest`, but not English words that end in `test`.
  '(?!(?:.*[-_.])?(?:la|con|at|de|pro|fas|grea|smar|shor|ligh|brigh|nea|sof|swif|tigh|stric|quie|wet|hot|whi|remo|cu)tests?/)[^/]*[a-z]tests?',
].join('|');
/** File names with `test` as a component: `test_lamp.py`, `LampTest.java`, `lamp.spec.ts`. */
const testNames = [
  '(?:[^/]*[-_.])?(?:tests?|e2e|conftest|fuzz)(?:[-_.][^/]*)?\\.\\w+',
  '[^/]*[-_.][Ss]pecs?\\.\\w+',
  'spec_helper\\.\\w+',
  '(?:[^/]*[a-z0-9_.])?Tests?(?:[A-Z0-9_.][^/]*)?\\.\\w+',
  '[^/]*[a-z0-9]Spec\\.\\w+',
].join('|');

/** Objects that are rarely wanted although they contain the words. The first matching rule applies. */
export const demotionRules: readonly DemotionRule[] = [
  {
    reason: 'vendored',
    path: /(?:^|\/)(?:node_modules|bower_components|vendor|vendored|third[-_]party|site-packages)\//,
    queryWords: 'vendor vendored vendoring third party dependency node_modules bower_components',
  },
  {
    reason: 'generated',
    path: /(?:^|\/)(?:generated|__generated__)\/|\.min\.(?:js|mjs|css)$|[._]pb\.(?:go|cc|h)$|_pb2(?:_grpc)?\.pyi?$|\.g\.dart$|[-._]generated\.\w+$|\.designer\.cs$|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|cargo\.lock|poetry\.lock|uv\.lock|pipfile\.lock|composer\.lock|gemfile\.lock|go\.sum)$/,
    text: /^\W{0,12}(?:@generated\b|code generated\b.{0,80}\bdo not edit\b|(?:this (?:file|code) (?:is|was|has been) )?(?:auto(?:matically)?[- ]?generated|generated (?:by|from))\b.{0,80}\b(?:do not (?:edit|modify)|don't edit)\b)/im,
    // Generated references are meant to be read.
    exceptPath: /\.(?:md|mdx|rst|adoc|html?|txt)$/,
    queryWords: 'generated generator codegen lock lockfile package-lock minified',
  },
  {
    reason: 'fixture',
    path: /(?:^|\/)(?:__fixtures__|fixtures?|test[-_]?data|__snapshots__|snapshots|goldens?|cassettes)\/|\.(?:snap|golden)$/,
    queryWords: 'fixture fixtures testdata snapshot snapshots golden',
    queryPattern: /\btest(?:ing)?[\s-]?(?:data|files?|inputs?|examples?|samples?)\b/i,
  },
  {
    reason: 'test',
    path: new RegExp(
      `(?:^|/)(?:${testFolders})/(?!.*\\.(?:md|mdx|rst|adoc|html?|txt|pdf|docx?)$)|\\.\\w*tests?$`,
    ),
    codePath: new RegExp(`(?:^|/)(?:specs?/|(?:${testNames})$)`),
    queryWords: 'test tests tested testing tester spec specs e2e conftest',
  },
  {
    reason: 'changelog',
    path: /(?:^|\/)(?:change-?logs?|changes|history|news|release[-_]?notes)(?:[-_][\w-]+(?:\.\d+)*)?(?:\.(?:md|markdown|txt|rst|adoc|html))?$|(?:^|\/)\.changeset\//,
    text: /^\s{0,9}#{0,2}\s{0,9}change ?log\b/i,
    queryWords: 'changelog changes changed history release releases notes news version',
    queryPattern: historyQuestion,
  },
  {
    reason: 'licence',
    path: /(?:^|\/)(?:(?:un)?licen[cs]es?|copying|notice|copyright|patents)(?:[-_][\w-]+(?:\.\d+)*)?(?:\.(?:md|txt|rst|html))?$|(?:^|\/)licen[cs]es\//,
    text: /^\s{0,20}(?:(?:the )?(?:mit|isc|bsd)\b.{0,30}\blicen[cs]e\b|apache license\s|gnu (?:lesser |library |affero )?general public license\b|mozilla public license\b|permission is hereby granted\b)/i,
    queryWords:
      'license licence licensed licensing copyright copying notice legal patent mit apache gpl bsd',
  },
  {
    reason: 'log',
    path: /\.log(?:[.-]\d[\w.-]*)?(?:\.(?:gz|bz2|xz|zst))?$|(?:^|\/)(?:(?:access|error|debug|server|app|application|audit|build|install|crash)[-_.]?logs?(?:[.-]\d[\w-]*)?(?:\.(?:txt|jsonl?|ndjson))?|syslog(?:\.\d+)?|nohup\.out)$/,
    queryPattern:
      /\blogs\b|\blog[\s-]?(?:files?|entry|entries|lines?|messages?|output|records?)\b|\.log\b|\bin the log\b/i,
  },
  // Paths do not show commits. Their source sets the field itself.
  { reason: 'commit', queryPattern: historyQuestion },
];
