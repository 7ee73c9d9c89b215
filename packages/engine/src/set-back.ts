import type { FieldValue } from '@trove/core';
import { analyze } from '@trove/core/text';
import { setBackReasons, type SetBackReason } from './api/schemas.js';

/** What kind of file ranks below equals. */
interface Kind {
  readonly reason: SetBackReason;
  /** Of paths below the source, in lower case. */
  readonly path: RegExp;
  /** Of the beginnings of texts. */
  readonly text?: RegExp;
  /** Of paths whose texts are not looked at. */
  readonly butNot?: RegExp;
  /** Who asks with one of these words wants them. */
  readonly words: string;
}

/** What is rarely meant, although it has the words: the first kind that fits counts. */
const kinds: readonly Kind[] = [
  {
    reason: 'vendored',
    path: /(?:^|\/)(?:node_modules|bower_components|vendor|vendored|third[-_]party|site-packages)\//,
    words: 'vendor vendored vendoring third party dependency node_modules bower_components',
  },
  {
    reason: 'generated',
    path: /(?:^|\/)(?:generated|__generated__)\/|\.min\.(?:js|mjs|css)$|[._]pb\.(?:go|cc|h)$|_pb2(?:_grpc)?\.pyi?$|\.g\.dart$|[-._]generated\.\w+$|\.designer\.cs$|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|cargo\.lock|poetry\.lock|uv\.lock|pipfile\.lock|composer\.lock|gemfile\.lock|go\.sum)$/,
    text: /^\W{0,12}(?:@generated\b|code generated\b.{0,80}\bdo not edit\b|(?:this (?:file|code) (?:is|was|has been) )?(?:auto(?:matically)?[- ]?generated|generated (?:by|from))\b.{0,80}\b(?:do not (?:edit|modify)|don't edit)\b)/im,
    // References are generated, too, and read by people.
    butNot: /\.(?:md|mdx|rst|adoc|html?|txt)$/,
    words: 'generated generator codegen lock lockfile package-lock minified',
  },
  {
    reason: 'fixture',
    path: /(?:^|\/)(?:__fixtures__|fixtures?|test-?data|test_data|__snapshots__|snapshots|goldens?)\/|\.(?:snap|golden)$/,
    words: 'fixture fixtures testdata snapshot snapshots golden',
  },
  {
    reason: 'test',
    path: /(?:^|[/_-])(?:tests?|__tests__|e2e)\/(?!.*\.(?:md|mdx|rst|adoc|html?|txt)$)|(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.py$|_test\.(?:go|c|cc|cpp|dart|exs|rb|lua)$|_spec\.(?:rb|lua)$|[.-](?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)[^/]*tests?\.(?:java|kt|cs|scala|swift|php)$/,
    words: 'test tests tested testing tester spec specs e2e conftest',
  },
  {
    reason: 'changelog',
    path: /(?:^|\/)(?:change-?logs?|changes|history|news|release[-_]?notes)(?:[-_][\w-]+(?:\.\d+)*)?(?:\.(?:md|markdown|txt|rst|adoc|html))?$|(?:^|\/)\.changeset\//,
    text: /^\s{0,9}#{0,2}\s{0,9}change ?log\b/i,
    words: 'changelog changes changed history release releases notes news version',
  },
  {
    reason: 'licence',
    path: /(?:^|\/)(?:(?:un)?licen[cs]es?|copying|notice|copyright|patents)(?:[-_][\w-]+(?:\.\d+)*)?(?:\.(?:md|txt|rst|html))?$|(?:^|\/)licen[cs]es\//,
    text: /^\s{0,20}(?:(?:the )?(?:mit|isc|bsd)\b.{0,30}\blicen[cs]e\b|apache license\s|gnu (?:lesser |library |affero )?general public license\b|mozilla public license\b|permission is hereby granted\b)/i,
    words:
      'license licence licensed licensing copyright copying notice legal patent mit apache gpl bsd',
  },
];

/** How much of a text is looked at. */
const seenCharacters = 400;

/** Why an object ranks below equals: `licence`, `changelog`, `fixture`, `generated`, `test` or `vendored`; null for most. */
export function setBackReason(path: string, text: string): SetBackReason | null {
  const lower = path.toLowerCase();
  const beginning = text.slice(0, seenCharacters);
  const kind = kinds.find(
    ({ path: paths, text: texts, butNot }) =>
      paths.test(lower) || (texts?.test(beginning) === true && butNot?.test(lower) !== true),
  );
  return kind?.reason ?? null;
}

/** The reason that a field names. */
export function reasonOf(value: FieldValue | undefined): SetBackReason | null {
  return setBackReasons.find((reason) => reason === value) ?? null;
}

/** What each term asks for. */
const reasonsByTerm = new Map<string, SetBackReason[]>();
for (const { reason, words } of kinds) {
  for (const term of analyze(words))
    reasonsByTerm.set(term, [...(reasonsByTerm.get(term) ?? []), reason]);
}

/** The reasons that do not count for a query, which asks for such files. */
export function reasonsAskedFor(terms: readonly string[]): ReadonlySet<SetBackReason> {
  return new Set(terms.flatMap((term) => reasonsByTerm.get(term) ?? []));
}
