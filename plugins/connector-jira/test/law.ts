import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type MarkedContent,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { startFakeJira } from './fake.js';
import type { JiraWorld } from './fake/world.js';
import { configOf } from './support.js';

const issuesPerProject = 6;

export const law: SyncLaw = {
  schemes: ['jira'],
  missesDeletions: true,
  async start() {
    const fake = await startFakeJira();
    const { world } = fake;
    fill(world);
    return {
      target: 'jira://acme',
      config: configOf(fake),
      content: () => contentOf(world),
      changeAll: () => {
        world.now = Date.now();
        for (const { key, description } of world.issues.values())
          world.edit(key, { description: nextEdition(String(description)) });
        for (const { id, body } of world.comments.values())
          world.editComment(id, nextEdition(String(body)));
        // An attachment never changes, so others are added.
        for (const { key } of everyThird(world.issues.values()))
          world.attach(key, 'more.txt', `${markedText()}\n`);
      },
      removeThird: () => {
        world.now = Date.now();
        for (const id of everyThird(world.comments.keys())) world.removeComment(id);
        for (const id of everyThird(world.attachments.keys())) world.removeAttachment(id);
        for (const { key } of everyThird(world.issues.values())) world.remove(key);
      },
      expireCursors: () => world.expireTokens(),
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
};

function fill(world: JiraWorld): void {
  world.now = Date.now();
  world.addProject('OPS', 'Operations');
  for (const project of ['TRV', 'OPS'])
    for (let number = 1; number <= issuesPerProject; number++) {
      const { key } = world.create(
        { summary: `Idea ${number}`, description: markedText() },
        project,
      );
      world.comment(key, markedText());
      world.comment(key, markedText());
      if (number % 2 === 0) world.attach(key, `#${number} 100% ✨.txt`, `${markedText()}\n`);
    }
}

function contentOf(world: JiraWorld): MarkedContent {
  const content: Record<string, readonly string[]> = {};
  for (const { key } of world.projects.values()) {
    const issues = [...world.issues.values()].filter(({ project }) => project === key);
    content[`${key}/issues`] = marksIn(issues.map((issue) => [issue, world.commentsOf(issue.id)]));
    for (const issue of issues)
      for (const { id, filename, bytes } of world.attachmentsOf(issue.id))
        content[`${key}/attachments/${issue.key}/${id}-${filename}`] = marksIn(bytes);
  }
  return content;
}
