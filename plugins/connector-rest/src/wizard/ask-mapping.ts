import type { Questions } from '@trove/core';

import type { FoundField } from '../inspection/fields.js';
import type { Inspection } from '../inspection/inspect.js';

const none = '(none)';
const other = '(other)';
const maxChoices = 8;
const maxHintChars = 60;

const members = [
  ['title', 'Title'],
  ['text', 'Text to search'],
  ['at', 'Time of the last change'],
  ['author', 'Author'],
  ['url', 'Address of a page for people'],
] as const;

/** What people accept about the members of a record. */
export interface AskedMapping {
  readonly key: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/** Asks for each member of a record. The proposal is the first choice. */
export async function askMapping(
  questions: Questions,
  { mapping, fields }: Inspection,
): Promise<AskedMapping> {
  const key =
    (await askPath(questions, 'Key that identifies an item', mapping.key, fields, true)) ?? '';
  const record: Record<string, unknown> = {};
  for (const [member, title] of members) {
    const path = await askPath(questions, title, mapping[member], fields, false);
    if (path !== null) record[member] = path;
  }
  const used = Object.values(record);
  const values = mapping.fields.filter((path) => !used.includes(path) && path !== key);
  if (values.length > 0) {
    const chosen = await questions.several(
      'Values to show and to filter by (space selects, enter continues)',
      values.map((value) => ({ value, ...hintOf(value, fields) })),
      values,
    );
    if (chosen.length > 0) record['fields'] = chosen;
  }
  return { key, record };
}

async function askPath(
  questions: Questions,
  title: string,
  proposed: readonly string[],
  fields: readonly FoundField[],
  isRequired: boolean,
): Promise<string | null> {
  const paths = proposed.slice(0, maxChoices);
  if (fields.length === 0 && isRequired) return askOther(questions, title);
  if (fields.length === 0) return null;
  const chosen = await questions.choose(
    title,
    [
      ...paths.map((value) => ({ value, ...hintOf(value, fields) })),
      ...(isRequired ? [] : [{ value: none, label: 'none' }]),
      { value: other, label: 'another one' },
    ],
    paths[0] ?? (isRequired ? other : none),
  );
  if (chosen === none) return null;
  return chosen === other ? askOther(questions, title) : chosen;
}

function askOther(questions: Questions, title: string): Promise<string> {
  return questions.text(`${title}: a path in an item, such as user.name`, {
    check: (text) => (text.trim() === '' ? 'Enter a path' : undefined),
  });
}

/** Shows the first value. */
function hintOf(path: string, fields: readonly FoundField[]): { readonly hint?: string } {
  const [value] = fields.find((field) => field.path === path)?.values ?? [];
  if (value === undefined) return {};
  return { hint: String(value).replace(/\s+/g, ' ').slice(0, maxHintChars) };
}
