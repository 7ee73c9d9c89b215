import { isTroveError, type QuestionContext, type Questions } from '@trove/core';

import {
  confirmPaging,
  findIncremental,
  inspectList,
  listsOf,
  type Inspection,
} from '../inspection/inspect.js';
import type { FoundList } from '../inspection/lists.js';
import type { PagingProposal, ProposedPaging } from '../inspection/paging.js';
import { requestSample, type Sample, type SampleOptions } from '../inspection/sample.js';
import { sinceNames, sinceParameter, type ProposedIncremental } from '../inspection/since.js';
import type { ConfigTable } from '../tables.js';
import { askMapping } from './ask-mapping.js';
import { describeList } from './description.js';
import { askLogin, moveSecret, type AskedLogin } from './login.js';

interface AskedSample {
  readonly sample: Sample;
  readonly lists: readonly FoundList[];
  readonly login: AskedLogin | null;
}

/** Asks for the address of a list, requests it, and proposes a description that the person accepts or changes. */
export async function askRestConfig(
  questions: Questions,
  { http, signal }: QuestionContext,
): Promise<ConfigTable> {
  const { sample, lists, login } = await askSample(questions, { http, signal });
  const options = { http, signal, ...(login === null ? {} : { login: login.sample }) };
  const list = await askList(questions, lists);
  questions.say(`${sample.url.pathname} has ${list.items.length} items in this answer.`);
  if (list.items.length === 0)
    questions.warn(
      'The list is empty, so nothing is known of its items. A list with items is easier to describe.',
    );
  const found = inspectList(sample, list);
  const { key, record } = await askMapping(questions, found);
  const page = await askPaging(questions, found, await confirmPaging(found, options));
  const at = typeof record['at'] === 'string' ? record['at'] : undefined;
  const incremental = await askIncremental(
    questions,
    at,
    await findIncremental(sample, found, at, options),
  );
  const { url } = sample;
  const sent = [...page.sent, ...(incremental === null ? [] : sinceNames)];
  return describeList({
    url,
    login,
    items: list.path,
    key,
    record,
    page: page.page,
    incremental,
    sent,
  });
}

/** Asks until an address answers with a list. */
async function askSample(questions: Questions, options: SampleOptions): Promise<AskedSample> {
  const text = await questions.text('Address of a list in the API', {
    check: (given) =>
      /^https?:\/\//i.test(given) && URL.canParse(given)
        ? undefined
        : 'Enter an address such as https://api.example.com/v1/items?limit=100',
  });
  const url = new URL(text);
  url.hash = '';
  try {
    let login = await moveSecret(questions, url);
    let sample = await requestSample(url, {
      ...options,
      ...(login === null ? {} : { login: login.sample }),
    });
    while (sample === null) {
      if (login !== null) questions.warn(`${url.host} refuses this login.`);
      login = await askLogin(questions);
      sample = await requestSample(url, { ...options, login: login.sample });
    }
    return { sample, lists: listsOf(sample), login };
  } catch (error) {
    if (!isTroveError(error) || options.signal.aborted) throw error;
    questions.warn([error.detail, ...error.suggestions].join('\n'));
    return askSample(questions, options);
  }
}

async function askList(questions: Questions, lists: readonly FoundList[]): Promise<FoundList> {
  const [first] = lists;
  const path =
    lists.length === 1
      ? first?.path
      : await questions.choose(
          'Which list has the items?',
          lists.map((list) => ({ value: list.path, hint: `${list.items.length} items` })),
          first?.path,
        );
  return lists.find((list) => list.path === path) ?? { path: '.', items: [] };
}

async function askPaging(
  questions: Questions,
  { paging }: Inspection,
  confirmed: PagingProposal,
): Promise<PagingProposal> {
  const labels = new Map([confirmed, ...paging].map((each) => [labelOf(each.page), each]));
  const label = await questions.choose(
    'How does the list continue?',
    [...labels.keys()].map((value) => ({ value })),
    labelOf(confirmed.page),
  );
  return labels.get(label) ?? confirmed;
}

function labelOf(page: ProposedPaging): string {
  if (page === 'none') return 'not at all: one answer has all items';
  if (page === 'link') return 'with the header Link';
  const { by, from, send = '' } = page;
  const name = String(send).replace(/^query\./, '');
  if (by === 'next') return `at the address in ${from}`;
  if (by === 'cursor') return `with the token in ${from}, sent as ${name}`;
  return by === 'page'
    ? `with numbered pages, sent as ${name}`
    : `with skipped items, sent as ${name}`;
}

async function askIncremental(
  questions: Questions,
  at: string | undefined,
  proposed: ProposedIncremental,
): Promise<ProposedIncremental> {
  const isSince = proposed?.['by'] === 'since';
  const choice = await questions.choose(
    'How does a later sync find changes?',
    [
      ...(isSince
        ? [
            {
              value: 'proposed',
              label: 'with the parameter that this API has',
              hint: JSON.stringify(proposed['send']),
            },
          ]
        : []),
      {
        value: 'since',
        label: `with ${isSince ? 'another' : 'a'} parameter for the oldest time of change`,
      },
      ...(at === undefined
        ? []
        : [
            {
              value: 'newest-first',
              label: `it stops at older items: the list is sorted by ${at}, newest first`,
            },
          ]),
      { value: 'none', label: 'it reads everything again' },
    ],
    isSince ? 'proposed' : proposed === null ? 'none' : 'newest-first',
  );
  if (choice === 'proposed') return proposed;
  if (choice === 'none' || (at === undefined && choice === 'newest-first')) return null;
  if (choice === 'newest-first') return { by: 'newest-first', time: at, overlap: '10m' };
  const name = await questions.text('Name of the parameter', {
    initial: sinceNames[0],
    check: (text) => (/^[\w.[\]-]+$/.test(text) ? undefined : 'Enter the name of a parameter'),
  });
  return sinceParameter(name);
}
