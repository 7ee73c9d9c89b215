import type { GraphPassage, GraphQueryResponse } from '@trove/client';

import { displayText } from '../paths/display.js';
import type { Cli } from '../session/cli.js';
import { plural } from '../terminal/numbers.js';

const maxPassageChars = 240;
const maxFacts = 8;

/** Prints an answer with numbered citations and the cited passages. */
export async function printAnswer(cli: Cli, response: GraphQueryResponse): Promise<void> {
  const { out } = cli;
  const passages = response.retrieved_passages;
  await out.line(out.safe(numberCitations(response.answer, passages)));
  if (passages.length === 0) return;
  await out.line();
  for (const [at, passage] of passages.entries()) {
    const mark = out.style.bold(out.style.cyan(`[${at + 1}]`));
    const head = `${out.safeName(titleOf(passage, cli))} ${out.style.dim(passage.score.toFixed(2))}`;
    await out.line(`${mark} ${head}`);
    await out.line(`    ${out.safeName(shorten(passage.text))}`);
  }
  await printFacts(cli, response);
}

/** Prints the relations between the passages. */
async function printFacts({ out }: Cli, { subgraph, stats }: GraphQueryResponse): Promise<void> {
  const shown = new Set(subgraph.passage_ids);
  const facts = subgraph.relations.filter(({ passage_ids: ids }) =>
    ids.some((id) => shown.has(id)),
  );
  if (facts.length > 0) await out.line();
  for (const { subject, predicate, object } of facts.slice(0, maxFacts)) {
    await out.line(out.safeName(`  ${subject} — ${predicate} → ${object}`));
  }
  const examined = plural(stats.num_passages_retrieved, 'passage');
  await out.line(out.style.dim(`\n${examined} examined, ${stats.total_time_ms} ms`));
}

function numberCitations(answer: string, passages: readonly GraphPassage[]): string {
  return passages.reduce((text, { id }, at) => text.replaceAll(`[${id}]`, `[${at + 1}]`), answer);
}

function titleOf({ id, metadata }: GraphPassage, cli: Cli): string {
  const { title, source } = metadata;
  const names = [title, source].filter((name) => typeof name === 'string' && name !== '');
  return names.length === 0 ? id : displayText(names.join(' · '), cli);
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= maxPassageChars ? line : `${line.slice(0, maxPassageChars).trimEnd()}…`;
}
