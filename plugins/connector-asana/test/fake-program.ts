import { serveFake } from '@trove/test-support/fake-program.js';
import { startFakeAsana } from './fake.js';
import { configOf } from './support.js';

const dayMs = 86_400_000;
const minuteMs = 60_000;

const fake = await startFakeAsana();
const { world, service } = fake;

serveFake(
  service,
  { target: `asana://${world.workspace.gid}`, config: configOf(fake) },
  {
    /** 500 tasks in 10 projects, of which 100 have two comments and 50 a subtask. */
    fill() {
      world.now = Date.now() - 2 * dayMs;
      const projects = Array.from(
        { length: 10 },
        (_, at) => world.addProject(`Project ${at}`, { notes: `The aims of project ${at}.` }).gid,
      );
      for (let number = 0; number < 500; number++) {
        const project = projects[number % projects.length] ?? '';
        const notes = `What is to be done in case ${number}.`;
        const { gid } = world.addTask({ name: `Task ${number}`, notes, projects: [project] });
        if (number % 5 === 0)
          for (const word of ['first', 'second'])
            world.comment(gid, `The ${word} comment on task ${number}.`);
        if (number % 10 === 0) world.addTask({ name: `Part of task ${number}`, parent: gid });
      }
      world.now = Date.now();
    },

    /** Ten tasks get a comment, one is deleted, one joins another project, and one is new. */
    evolve(round) {
      world.now = Date.now() - 5 * minuteMs;
      const [project = '', other = ''] = world.projects.keys();
      const tasks = world.tasksOf(project).slice(round * 2 - 2);
      const [deleted, joining, ...others] = tasks.map(({ gid }) => gid);
      world.deleteTask(deleted ?? '');
      world.addToProject(joining ?? '', other);
      for (const gid of others.slice(0, 10)) world.comment(gid, `Comment ${round} on this task.`);
      world.addTask({ name: `New task ${round}`, notes: 'Do it.', projects: [project] });
      world.now = Date.now();
    },

    /** A person comments. */
    change() {
      world.now = Date.now() - 5 * minuteMs;
      const [, task] = world.tasks.keys();
      world.comment(task ?? '', 'It is done.');
      world.now = Date.now();
    },
  },
);
