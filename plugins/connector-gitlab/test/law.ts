import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { startFakeGitlab } from './fake.js';
import type { GitlabWorld, ItemKind } from './fake/world.js';
import { settingsFor, target } from './source.js';

const itemsPerKind = 6;
const kinds = ['issue', 'merge_request'] as const;

export const law: SyncLaw = {
  schemes: ['gitlab'],
  missesDeletions: true,
  async start() {
    const fake = await startFakeGitlab();
    const { world } = fake;
    fill(world);
    const marksOf = (kind: ItemKind): string[] => {
      const notes = [...world.notes.values()].filter((note) => note.kind === kind);
      return marksIn([...world.items[kind].values(), ...notes]);
    };
    return {
      target,
      config: settingsFor(fake),
      content: () => ({
        issues: marksOf('issue'),
        merge_requests: marksOf('merge_request'),
        ...Object.fromEntries(
          [...world.releases.values()].map(({ tag, description }) => [
            `releases/${tag}.md`,
            marksIn(description),
          ]),
        ),
      }),
      changeAll: () => changeAll(world),
      removeThird: () => removeThird(world),
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
};

function fill(world: GitlabWorld): void {
  world.now = Date.now();
  for (let number = 1; number <= itemsPerKind; number++) {
    for (const kind of kinds) {
      const { iid } = world.create(kind, { title: `Item ${number}`, description: markedText() });
      world.note(kind, iid, markedText());
      world.note(kind, iid, markedText());
    }
    world.release(`v${number}`, markedText());
  }
}

function changeAll(world: GitlabWorld): void {
  world.now = Date.now();
  for (const kind of kinds)
    for (const { iid, description } of world.items[kind].values())
      world.edit(kind, iid, { description: nextEdition(description ?? '') });
  for (const { id, body } of world.notes.values()) world.editNote(id, nextEdition(body));
  for (const { tag, description } of world.releases.values())
    world.editRelease(tag, nextEdition(description));
}

function removeThird(world: GitlabWorld): void {
  world.now = Date.now();
  for (const id of everyThird(world.notes.keys())) world.removeNote(id);
  for (const kind of kinds)
    for (const iid of everyThird(world.items[kind].keys())) world.remove(kind, iid);
  for (const tag of everyThird(world.releases.keys())) world.removeRelease(tag);
}
