import type { JSX } from 'preact';
import type { PageProps } from '../shell/pages.js';
import { readGraphQuestion } from './graph-request.js';
import { GraphList } from './graph-list.js';
import { GraphView } from './graph-view.js';

/** All knowledge graphs, or the answer of one of them. */
export function GraphsPage({ params }: PageProps): JSX.Element {
  const question = readGraphQuestion(params);
  if (question.graph === '' && question.question === '') return <GraphList />;
  return <GraphView question={question} />;
}
