import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { kinds } from '../src/kinds.js';
import { startFakeHubspot } from './fake.js';
import type { HubspotWorld, Stored } from './fake/world.js';
import { configOf } from './support.js';

const count = 6;
const dayMs = 86_400_000;

/** The property of each kind that has the marks. */
const marked: Readonly<Record<string, string>> = {
  contacts: 'jobtitle',
  companies: 'description',
  deals: 'description',
  tickets: 'content',
  notes: 'hs_note_body',
  emails: 'hs_email_text',
  calls: 'hs_call_body',
  meetings: 'hs_meeting_body',
  tasks: 'hs_task_body',
};

export const law: SyncLaw = {
  schemes: ['hubspot'],
  async start() {
    const fake = await startFakeHubspot();
    const { world } = fake;
    world.now = Date.now() - dayMs;
    fill(world);
    return {
      target: 'hubspot://acme',
      config: configOf(fake),
      content: () =>
        Object.fromEntries(
          kinds.map(({ name }) => [
            name,
            marksIn(world.list(name, false).map(({ properties }) => properties)),
          ]),
        ),
      changeAll: () => {
        world.now = Date.now();
        for (const [property, { id, properties }] of present(world))
          world.edit(id, { [property]: nextEdition(properties[property] ?? '') });
      },
      removeThird: () => {
        world.now = Date.now();
        for (const [, { id }] of everyThird(present(world))) world.archive(id);
      },
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
};

/** Associates no records, because a record keeps the names of others until it changes itself. */
function fill(world: HubspotWorld): void {
  const hs_timestamp = new Date(world.now).toISOString();
  for (const [kind, property] of Object.entries(marked))
    for (let number = 1; number <= count; number++)
      world.create(kind, {
        hs_timestamp,
        [property]: markedText(),
        ...(kind === 'emails' ? { hs_email_thread_id: String(number % 2) } : {}),
      });
}

function present(world: HubspotWorld): readonly (readonly [property: string, stored: Stored])[] {
  return Object.entries(marked).flatMap(([kind, property]) =>
    world.list(kind, false).map((stored) => [property, stored] as const),
  );
}
