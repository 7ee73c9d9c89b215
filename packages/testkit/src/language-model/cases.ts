import {
  taskSchemas,
  type CompletionRequest,
  type LanguageModel,
  type LanguageTask,
  type LanguageTaskKind,
} from '@trove/core/model';

import type { ConformanceCase } from '../case.js';
import { expect, expectEqual, expectError, expectRejection, expectSettled } from '../expect.js';
import { expectAnswer, prompt, withModel, type LanguageModelSubject } from './subject.js';
import { expectTaskAnswer } from './task-answers.js';

const maxSettleMs = 3000;
const places = ['Pelican', 'Walnut', 'Harbour', 'Velvet'];
const kinds: readonly LanguageTaskKind[] = ['extract', 'rank', 'answer'];

/** Requirements on every language model, whether it accepts prompts or only performs tasks. */
export const languageModelCases: readonly ConformanceCase<LanguageModelSubject>[] = [
  {
    id: 'names-itself',
    title: 'has a model name',
    run: ({ create }) =>
      withModel(create, async ({ model }) =>
        expect(typeof model === 'string' && model.trim() !== '', 'model: must not be blank'),
      ),
  },
  {
    id: 'names-its-tasks',
    title: 'lists each supported kind of task once, if it reads no prompts',
    run: ({ create }) =>
      withModel(create, async ({ tasks }) => {
        if (tasks === undefined) return;
        expect(tasks.length > 0, 'tasks: must not be empty');
        expectEqual(
          [...tasks].sort(),
          kinds.filter((kind) => tasks.includes(kind)).sort(),
          'tasks: the kinds of tasks',
        );
      }),
  },
  {
    id: 'serves-tasks',
    title: 'answers each supported kind of task in its schema',
    run: ({ create }) =>
      withModel(create, async (model) => {
        for (const kind of servedBy(model)) {
          const { text, truncated } = await model.complete(request(taskAbout(kind, 'London')));
          expectTaskAnswer(kind, text);
          expect(!truncated, `${kind}: a structured answer must not be truncated`);
        }
      }),
  },
  {
    id: 'keeps-tasks-apart',
    title: 'separates concurrent tasks',
    run: ({ create }) =>
      withModel(create, async (model) => {
        for (const kind of servedBy(model)) {
          const answers = await Promise.all(
            places.map((place) => model.complete(request(taskAbout(kind, place)))),
          );
          answers.forEach(({ text }, at) => {
            const other = places.find((place, of) => of !== at && text.includes(place));
            expect(other === undefined, `${kind}: an answer is about ${other}, not ${places[at]}`);
          });
        }
      }),
  },
  {
    id: 'odd-tasks',
    title: 'accepts tasks with empty, odd, malformed and long texts',
    run: ({ create }) =>
      withModel(create, async (model) => {
        const texts = [
          '',
          '\u0000\t語の例文です。😀 \ud800 half a pair',
          'Ada met Bob. '.repeat(5000),
        ];
        for (const kind of servedBy(model)) {
          for (const text of texts) {
            expectAnswer((await model.complete(request(taskOf(kind, text)))).text);
          }
        }
      }),
  },
  {
    id: 'refuses-other-tasks',
    title: 'throws not_supported for unsupported requests',
    run: ({ create }) =>
      withModel(create, async (model) => {
        if (model.tasks === undefined) return;
        const served = servedBy(model);
        const others = kinds.filter((kind) => !served.includes(kind));
        const refused = others.map((kind) => request(taskAbout(kind, 'London')));
        for (const each of [prompt('Repeat this word: teapot'), ...refused]) {
          const what = each.task?.kind ?? 'a prompt without a task';
          await expectError(model.complete(each), 'not_supported', what);
        }
      }),
  },
  {
    id: 'pieces-are-the-answer',
    title: 'streams nothing or exactly its answer',
    run: ({ create }) =>
      withModel(create, async (model) => {
        let streamed = '';
        const { text } = await model.complete({
          ...anyRequest(model, new AbortController().signal),
          onText: (piece) => void (streamed += piece),
        });
        if (streamed !== '') expectEqual(streamed, text, 'the joined pieces of an answer');
      }),
  },
  {
    id: 'aborted-before',
    title: 'rejects a call with an aborted signal',
    run: ({ create }) =>
      withModel(create, async (model) => {
        const call = model.complete(anyRequest(model, AbortSignal.abort()));
        await expectSettled(call, maxSettleMs, 'a call with an aborted signal');
        await expectRejection(call, 'a call with an aborted signal');
      }),
  },
  {
    id: 'aborted-during',
    title: 'ends soon after an abort and continues to work',
    run: ({ create }) =>
      withModel(create, async (model) => {
        const controller = new AbortController();
        const call = model.complete(anyRequest(model, controller.signal));
        controller.abort();
        await expectSettled(call, maxSettleMs, 'an aborted call');
        const { signal } = new AbortController();
        expectAnswer((await model.complete(anyRequest(model, signal))).text);
      }),
  },
  {
    id: 'closed-twice',
    title: 'can be closed twice',
    run: async ({ create }) => {
      const model = await create();
      await model.close?.();
      await model.close?.();
    },
  },
];

function servedBy({ tasks }: LanguageModel): readonly LanguageTaskKind[] {
  return tasks ?? kinds;
}

function taskAbout(kind: LanguageTaskKind, place: string): LanguageTask {
  return taskOf(kind, `Ada Lovelace met Charles Babbage in ${place}.`);
}

function taskOf(kind: LanguageTaskKind, text: string): LanguageTask {
  if (kind === 'extract') return { kind, title: null, text };
  const question = `Where did Ada Lovelace meet Charles Babbage? ${text}`.slice(0, 1000);
  return { kind, question, passages: text === '' ? [] : [{ title: null, text }] };
}

function request(task: LanguageTask): CompletionRequest {
  const { kind, ...given } = task;
  return prompt(`Serve this task, ${kind}, with JSON: ${JSON.stringify(given)}`, {
    task,
    schema: taskSchemas[kind],
  });
}

function anyRequest(model: LanguageModel, signal: AbortSignal): CompletionRequest {
  return { ...request(taskAbout(servedBy(model)[0] ?? 'extract', 'London')), signal };
}
