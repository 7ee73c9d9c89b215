import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { startFakeAsana } from './fake.js';
import type { AsanaWorld, StoredStory } from './fake/world.js';
import { configOf, hourMs } from './support.js';

const count = 6;

export const law: SyncLaw = {
  schemes: ['asana'],
  async start() {
    const fake = await startFakeAsana();
    const { world } = fake;
    world.now = Date.now() - hourMs;
    fill(world);
    world.now = Date.now();
    return {
      target: `asana://${world.workspace.gid}`,
      config: configOf(fake),
      content: () => ({
        projects: marksIn([...world.projects.values()]),
        'status-updates': marksIn([...world.updates.values()]),
        tasks: marksIn([[...world.tasks.values()], commentsOf(world)]),
      }),
      changeAll: () => {
        world.now = Date.now();
        for (const project of world.projects.values()) project.notes = nextEdition(project.notes);
        for (const { gid, notes } of world.tasks.values())
          world.editTask(gid, { notes: nextEdition(notes) });
        for (const { gid, text } of commentsOf(world)) world.editComment(gid, nextEdition(text));
      },
      removeThird: () => {
        world.now = Date.now();
        for (const { gid } of everyThird(commentsOf(world))) world.deleteComment(gid);
        const inner = [...world.tasks.values()].filter(({ parent }) => parent !== null);
        const outer = [...world.tasks.values()].filter(
          ({ gid, parent }) => parent === null && world.subtasksOf(gid).length === 0,
        );
        for (const { gid } of [...everyThird(inner), ...everyThird(outer)]) world.deleteTask(gid);
      },
      expireCursors: () => {
        world.events.generation++;
        world.offsetGeneration++;
      },
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
};

function fill(world: AsanaWorld): void {
  const [first, second] = ['Website', 'Shop'].map((name) =>
    world.addProject(name, { notes: markedText() }),
  );
  for (let number = 1; number <= count; number++) {
    const notes = markedText();
    const projects = [first?.gid ?? '', ...(number % 2 === 0 ? [second?.gid ?? ''] : [])];
    const { gid } = world.addTask({ name: `Task ${number}`, notes, projects });
    world.comment(gid, markedText());
    if (number <= 3) {
      const inner = world.addTask({ name: `Part ${number}`, notes: markedText(), parent: gid });
      world.comment(inner.gid, markedText());
    }
  }
}

function commentsOf(world: AsanaWorld): readonly StoredStory[] {
  return [...world.stories.values()].filter(({ type }) => type === 'comment');
}
