import { heldJob, objectsOf, openTasks } from '../../../src/memory/metadata/data.js';
import { isQueued, tasksOf, type Mutants } from './support.js';

export const listingMutants: Mutants = {
  'compare-listing': (good, data) => ({
    // Takes an object without a revision for unchanged when none was given.
    listings: {
      compare: async (id, worker, revisions) => {
        const found = await good.listings.compare(id, worker, revisions);
        const objects = objectsOf(data, data.jobs.get(id)?.connectorId ?? '');
        const none = new Set<string>();
        for (const { path, revision } of objects.values()) if (revision === null) none.add(path);
        const isSame = (path: string) => none.has(path) && revisions.get(path) === null;
        return found && { ...found, changed: found.changed.filter((path) => !isSame(path)) };
      },
    },
  }),
  'listing-counts': (good, data) => ({
    // Forgets to count what was added beside another task, and was not met before.
    listings: {
      addTasks: async (id, worker, added) => {
        const job = data.jobs.get(id);
        const [met, open] = [job?.met.size ?? 0, job?.tasks.size ?? 0];
        const held = await good.listings.addTasks(id, worker, added);
        if (job && met === 2 && open === 1 && job.tasks.size === 3) job.total -= 1;
        return held;
      },
    },
  }),
  'one-task-per-object': (good, data) => ({
    // Counts what is finished already when it meets it again.
    listings: {
      compare: async (id, worker, revisions) => {
        const found = await good.listings.compare(id, worker, revisions);
        const job = data.jobs.get(id);
        const tasks = job?.attempt === 1 ? [...job.tasks.values()] : [];
        const again = tasks.filter(({ path, outcome }) => outcome !== null && revisions.has(path));
        if (job !== undefined) job.total += again.length;
        return found;
      },
    },
  }),
  'last-word-counts': (good, data) => ({
    listings: {
      addTasks: (id, worker, added) => {
        const known = data.jobs.get(id)?.tasks;
        const isOpen = (objectId: string) => {
          const task = known?.get(objectId);
          return task !== undefined && task.outcome === null && task.worker === null;
        };
        const tasks = added.filter(({ objectId }) => !isOpen(objectId));
        return good.listings.addTasks(id, worker, tasks);
      },
    },
  }),
  'finished-is-done-again': (good, data) => ({
    listings: {
      addTasks: (id, worker, added) => {
        const known = data.jobs.get(id)?.tasks;
        const isDone = (objectId: string) => typeof known?.get(objectId)?.outcome === 'string';
        const tasks = added.filter(({ objectId, op }) => op === 'records' || !isDone(objectId));
        return good.listings.addTasks(id, worker, tasks);
      },
    },
  }),
  'records-are-followed-again': (good, data) => ({
    listings: {
      addTasks: (id, worker, added) => {
        const known = data.jobs.get(id)?.tasks;
        const tasks = added.filter(
          ({ objectId, op }) => op !== 'records' || known?.get(objectId)?.op !== op,
        );
        return good.listings.addTasks(id, worker, tasks);
      },
    },
  }),
  'replaced-task-is-lost': (good, data) => ({
    listings: {
      addTasks: async (id, worker, added) => {
        const begun = tasksOf(data).filter(
          (task) => task.worker !== null && task.worker !== worker,
        );
        const held = await good.listings.addTasks(id, worker, added);
        for (const task of begun) {
          const now = data.jobs.get(id)?.tasks.get(task.objectId);
          if (now !== undefined && now !== task) Object.assign(now, leaseOf(task));
        }
        return held;
      },
    },
  }),
  'replaced-task-has-another-id': (good, data) => ({
    listings: {
      addTasks: async (id, worker, added) => {
        const begun = tasksOf(data).filter((task) => task.worker === worker);
        const held = await good.listings.addTasks(id, worker, added);
        for (const { objectId, id: number } of begun) {
          const now = data.jobs.get(id)?.tasks.get(objectId);
          if (now !== undefined) now.id = number;
        }
        return held;
      },
    },
  }),
  'there-again': (good, data) => ({
    listings: {
      compare: async (id, worker, revisions) => {
        const found = await good.listings.compare(id, worker, revisions);
        const deletes = tasksOf(data).filter(({ op }) => op === 'delete');
        const gone = new Set(deletes.map(({ path }) => path));
        return found && { ...found, changed: found.changed.filter((path) => !gone.has(path)) };
      },
    },
  }),
  'listing-starts-afresh': (good, data) => ({
    jobs: {
      claim: async (worker, leaseMs) => {
        const before = new Map([...data.jobs].map(([id, job]) => [id, { ...job }]));
        const job = await good.jobs.claim(worker, leaseMs);
        const old = before.get(job?.id ?? '');
        const stored = data.jobs.get(job?.id ?? '');
        if (!job || !old || !stored || old.attempt === 0 || old.added === 0) return job;
        const { total, unchanged } = old;
        Object.assign(stored, { total, unchanged });
        return { ...job, total, unchanged };
      },
    },
  }),
  'listed-stays': (good, data) => ({
    jobs: {
      claim: async (worker, leaseMs) => {
        for (const job of data.jobs.values())
          if (isQueued(job) && job.deaths === 0) job.listed = false;
        return good.jobs.claim(worker, leaseMs);
      },
    },
  }),
  'complete-listing-deletes': (good, data) => ({
    listings: {
      finish: async (id, worker, end) => {
        const ended = await good.listings.finish(id, worker, end);
        const job = data.jobs.get(id);
        const deletes = job && openTasks(job).filter(({ op }) => op === 'delete');
        if (job && deletes && deletes.length > 1) job.tasks.delete(deletes[0]?.objectId ?? '');
        return ended;
      },
    },
  }),
  'incomplete-listing-deletes-nothing': (good, data) => ({
    listings: {
      finish: (id, worker, end) => {
        const moves = [...(data.jobs.get(id)?.tasks.values() ?? [])].some(
          ({ op }) => op === 'move',
        );
        const complete =
          end.complete || (!moves && [...data.again.values()].every(({ size }) => size === 0));
        return good.listings.finish(id, worker, { ...end, complete });
      },
    },
  }),
  'met-before-is-not-met-now': (good, data) => ({
    listings: {
      finish: async (id, worker, end) => {
        const job = heldJob(data, id, worker);
        const all = objectsOf(data, job?.connectorId ?? '');
        if (job !== null && job.attempt > 1)
          for (const objectId of all.keys()) job.met.add(objectId);
        return good.listings.finish(id, worker, end);
      },
    },
  }),
  'moves-wait': (good, data) => ({
    tasks: {
      claim: async (id, worker, atMost, leaseMs) => {
        const job = data.jobs.get(id);
        if (job === undefined || job.deaths > 0)
          return good.tasks.claim(id, worker, atMost, leaseMs);
        const { listed } = job;
        job.listed = true;
        const tasks = await good.tasks.claim(id, worker, atMost, leaseMs);
        job.listed = listed;
        return tasks;
      },
    },
  }),
  'moved-is-not-deleted': (good, data) => ({
    listings: {
      finish: async (id, worker, end) => {
        const ended = await good.listings.finish(id, worker, end);
        const [move, other] = [...(data.jobs.get(id)?.tasks.values() ?? [])];
        if (move?.op !== 'move' || other?.op !== 'delete' || !move.fromObjectId) return ended;
        const gone = { objectId: move.fromObjectId, path: 'old', entry: null, fromObjectId: null };
        const tasks = [{ ...gone, op: 'delete' as const, priority: 0 }];
        await good.listings.addTasks(id, worker, tasks);
        return ended;
      },
    },
  }),
  'copy-is-no-move': (good, data) => ({
    listings: {
      finish: async (id, worker, end) => {
        const moves = [...(data.jobs.get(id)?.tasks.values() ?? [])]
          .filter(({ op }) => op === 'move')
          .map((task) => ({ task, fromObjectId: task.fromObjectId }));
        const distinct = new Set(moves.map(({ fromObjectId }) => fromObjectId)).size;
        const ended = await good.listings.finish(id, worker, end);
        if (distinct < moves.length) return ended;
        for (const { task, fromObjectId } of moves)
          Object.assign(task, { op: 'move', fromObjectId });
        return ended;
      },
    },
  }),
  'left-out-is-counted': (good, data) => ({
    listings: {
      finish: async (id, worker, end) => {
        const ended = await good.listings.finish(id, worker, end);
        const job = data.jobs.get(id);
        if (job === undefined || end.complete) return ended;
        job.unchanged += job.leftOut;
        job.leftOut = 0;
        return ended;
      },
    },
  }),
  'listing-problem': (good) => ({
    listings: {
      finish: (id, worker, { problem: _problem, ...end }) => good.listings.finish(id, worker, end),
    },
  }),
  'listing-notes': (good) => ({
    listings: {
      finish: (id, worker, { warnings: _notes, ...end }) => good.listings.finish(id, worker, end),
    },
  }),
  'failed-are-done-again': (good, data) => ({
    listings: {
      finish: (id, worker, end) => {
        if (!end.complete) data.again.clear();
        return good.listings.finish(id, worker, end);
      },
    },
  }),
  'failed-and-gone-is-forgotten': (good, data) => ({
    listings: {
      finish: async (id, worker, end) => {
        const again = data.again.get(data.jobs.get(id)?.connectorId ?? '');
        if (end.complete) await good.listings.addTasks(id, worker, [...(again?.values() ?? [])]);
        return good.listings.finish(id, worker, end);
      },
    },
  }),
  'moves-once': (good, data) => ({
    listings: {
      finish: async (id, worker, end) => {
        const job = data.jobs.get(id);
        const moves = [...(job?.tasks.values() ?? [])].filter(({ op }) => op === 'move');
        const twice = new Set(moves.map((move) => move.fromObjectId)).size < moves.length;
        const ended = await good.listings.finish(id, worker, end);
        if (twice) for (const move of moves) move.op = 'move';
        return ended;
      },
    },
  }),
};

function leaseOf(task: ReturnType<typeof openTasks>[number]): object {
  return { worker: task.worker, leaseUntil: task.leaseUntil };
}
