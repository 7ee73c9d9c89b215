import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type MarkedContent,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { startFakeLinear } from './fake.js';
import type { LinearWorld } from './fake/world.js';
import { setAge, settingsFor, target } from './source.js';

const count = 6;
const dayMinutes = 24 * 60;

export const law: SyncLaw = {
  schemes: ['linear'],
  async start() {
    const fake = await startFakeLinear();
    const { world } = fake;
    setAge(fake, dayMinutes);
    fill(world);
    return {
      target,
      config: settingsFor(fake),
      content: () => contentOf(world),
      changeAll: () => {
        setAge(fake, 0);
        changeAll(world);
      },
      removeThird: () => {
        setAge(fake, 0);
        // Comments are only deleted for good, which the service does not report.
        for (const id of everyThird(world.issues.keys())) world.trash(world.issues, id);
        for (const id of everyThird(world.projects.keys())) world.trash(world.projects, id);
        for (const id of everyThird(world.documents.keys())) world.trash(world.documents, id);
      },
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
};

function fill(world: LinearWorld): void {
  for (let number = 1; number <= count; number++) {
    const issue = world.createIssue({ description: markedText() });
    const first = world.comment({ issue: issue.id }, markedText());
    world.comment({ issue: issue.id, parent: first.id }, markedText());
    const project = world.createProject(`Project ${number}`, { content: markedText() });
    const update = world.postUpdate(project.id, markedText());
    world.comment({ project: project.id }, markedText());
    world.comment({ projectUpdate: update.id }, markedText());
    world.createDocument(`Document ${number}`, markedText());
  }
}

function contentOf({ issues, projects, updates, comments, documents }: LinearWorld): MarkedContent {
  const shownIssues = shown(issues);
  const shownProjects = shown(projects);
  const shownUpdates = [...updates.values()].filter(({ project }) => isIn(shownProjects, project));
  const all = [...comments.values()];
  return {
    issues: marksIn([...shownIssues, ...all.filter(({ issue }) => isIn(shownIssues, issue))]),
    projects: marksIn([
      ...shownProjects,
      ...shownUpdates,
      ...all.filter(
        ({ project, projectUpdate }) =>
          isIn(shownProjects, project) || isIn(shownUpdates, projectUpdate),
      ),
    ]),
    ...Object.fromEntries(
      shown(documents).map(({ title, slugId, content }) => [
        `documents/${title} ${slugId}.md`,
        marksIn(content),
      ]),
    ),
  };
}

function shown<T extends { readonly trashed: boolean }>(items: ReadonlyMap<string, T>): T[] {
  return [...items.values()].filter(({ trashed }) => !trashed);
}

function isIn(items: readonly { readonly id: string }[], id: string | null): boolean {
  return items.some((item) => item.id === id);
}

function changeAll(world: LinearWorld): void {
  for (const { id, description } of world.issues.values())
    world.edit(world.issues, id, { description: nextEdition(description ?? '') });
  for (const { id, body } of world.comments.values())
    world.edit(world.comments, id, { body: nextEdition(body) });
  for (const { id, content } of world.projects.values())
    world.edit(world.projects, id, { content: nextEdition(content ?? '') });
  for (const { id, body } of world.updates.values())
    world.edit(world.updates, id, { body: nextEdition(body) });
  for (const { id, content } of world.documents.values())
    world.edit(world.documents, id, { content: nextEdition(content ?? '') });
}
