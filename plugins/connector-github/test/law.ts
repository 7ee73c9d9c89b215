import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { startFakeGithub } from './fake.js';
import type { GithubWorld } from './fake/world.js';
import { settingsFor, target } from './source.js';

const items = 6;

export const law: SyncLaw = {
  schemes: ['github'],
  missesDeletions: true,
  async start() {
    const fake = await startFakeGithub();
    const { world } = fake;
    fill(world);
    return {
      target,
      config: settingsFor(fake),
      content: () => ({
        issues: marksIn([
          ...world.items.values(),
          ...world.comments.values(),
          ...world.lineComments.values(),
        ]),
        discussions: marksIn([
          ...world.discussions.all.values(),
          ...world.discussions.comments.values(),
        ]),
        ...Object.fromEntries(
          [...world.releases.values()].map(({ tag, body }) => [
            `releases/${tag}.md`,
            marksIn(body),
          ]),
        ),
      }),
      changeAll: () => changeAll(world),
      removeThird: () => removeThird(world),
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
};

function fill(world: GithubWorld): void {
  world.now = Date.now();
  for (let number = 1; number <= items; number++) {
    const issue = world.createIssue({ title: `Issue ${number}`, body: markedText() });
    world.comment(issue.number, { body: markedText() });
    const pull = world.createPull({ title: `Pull request ${number}`, body: markedText() });
    world.commentLine(pull.number, 'src/start.ts', { body: markedText() });
    world.release(`v${number}`, markedText());
    const discussion = world.discussions.create(`Discussion ${number}`, markedText());
    const comment = world.discussions.comment(discussion.number, markedText());
    world.discussions.comment(discussion.number, markedText(), comment.id);
  }
}

function changeAll(world: GithubWorld): void {
  const { discussions } = world;
  world.now = Date.now();
  for (const { number, body } of world.items.values())
    world.edit(number, { body: nextEdition(body ?? '') });
  for (const { id, body } of [...world.comments.values(), ...world.lineComments.values()])
    world.editComment(id, nextEdition(body));
  for (const { id, body } of world.releases.values()) world.editRelease(id, nextEdition(body));
  for (const { id, body } of discussions.comments.values())
    discussions.editComment(id, { body: nextEdition(body) });
  for (const { number, body } of discussions.all.values())
    discussions.edit(number, { body: nextEdition(body) });
}

function removeThird(world: GithubWorld): void {
  world.now = Date.now();
  for (const id of everyThird([...world.comments.keys(), ...world.lineComments.keys()]))
    world.removeComment(id);
  for (const number of everyThird(world.items.keys())) world.remove(number);
  for (const id of everyThird(world.releases.keys())) world.removeRelease(id);
  for (const number of everyThird(world.discussions.all.keys())) world.discussions.remove(number);
}
