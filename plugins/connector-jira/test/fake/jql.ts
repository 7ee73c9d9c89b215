import type { Issue, JiraWorld } from './world.js';

/** A query that the service refuses, with its sentence. */
export class JqlError extends Error {}

type Condition = (issue: Issue) => boolean;

const minuteMs = 60_000;
const order = /\s*\border\s+by\s+(.+)$/i;

/** Runs a query of conditions joined by AND. Throws `JqlError` if the service would refuse it. */
export function runJql(world: JiraWorld, jql: string, isAnonymous: boolean): Issue[] {
  const conditions = jql.replace(order, '').trim();
  if (conditions === '')
    throw new JqlError(
      'Unbounded JQL queries are not allowed here. Please add a search restriction to your query.',
    );
  const tests = conditions
    .split(/\s+and\s+/i)
    .map((condition) => testOf(world, condition.trim().replace(/^\((.*)\)$/, '$1'), isAnonymous));
  const found = world.indexed().filter((issue) => isVisible(world, issue, isAnonymous));
  return sorted(
    found.filter((issue) => tests.every((test) => test(issue))),
    order.exec(jql)?.[1] ?? 'created DESC',
  );
}

/** Whether the user of the request may browse the project. Anonymous callers see no project. */
export function canBrowse(world: JiraWorld, project: string, isAnonymous: boolean): boolean {
  return !isAnonymous && world.projects.has(project) && !world.hiddenProjects.has(project);
}

function isVisible(world: JiraWorld, { project }: Issue, isAnonymous: boolean): boolean {
  return canBrowse(world, project, isAnonymous);
}

function testOf(world: JiraWorld, condition: string, isAnonymous: boolean): Condition {
  const [, keys] =
    /^project\s+in\s*\(([^)]*)\)$/i.exec(condition) ??
    /^project\s*=\s*(\S+)$/i.exec(condition) ??
    [];
  if (keys !== undefined) {
    const names = keys.split(',').map((key) => key.trim().replaceAll('"', ''));
    for (const name of names)
      if (!canBrowse(world, name, isAnonymous))
        throw new JqlError(`The value '${name}' does not exist for the field 'project'.`);
    return ({ project }) => names.includes(project);
  }
  const [, field = '', time = ''] = /^(updated|created)\s*>=\s*(.+)$/i.exec(condition) ?? [];
  if (field !== '') {
    const since = timeOf(time);
    const member = field.toLowerCase() === 'updated' ? 'updatedAt' : 'createdAt';
    return (issue) => Math.floor(issue[member] / minuteMs) >= Math.floor(since / minuteMs);
  }
  if (/^attachments\s+is\s+not\s+empty$/i.test(condition))
    return ({ id }) => world.attachmentsOf(id).length > 0;
  const [, label] = /^labels\s*=\s*(\S+)$/i.exec(condition) ?? [];
  if (label !== undefined) return ({ labels }) => labels.includes(label.replaceAll('"', ''));
  const [, key] = /^key\s*=\s*(.+)$/i.exec(condition) ?? [];
  if (key !== undefined) {
    const found = world.indexed().find((issue) => issue.key === key.replaceAll('"', ''));
    if (found === undefined || !canBrowse(world, found.project, isAnonymous))
      throw new JqlError(`An issue with key '${key}' does not exist for field 'key'.`);
    return ({ id }) => id === found.id;
  }
  throw new JqlError(`Error in the JQL Query: '${condition}' is not supported.`);
}

/** A number is epoch milliseconds. A quoted date is read in the time zone of the user, which is an hour ahead. */
function timeOf(value: string): number {
  if (/^-?\d+$/.test(value)) return Number(value);
  const [, date] = /^"(\d{4}[-/]\d\d[-/]\d\d(?: \d\d:\d\d)?)"$/.exec(value) ?? [];
  const parsed = Date.parse(`${(date ?? '').replaceAll('/', '-').replace(' ', 'T')}+01:00`);
  if (Number.isNaN(parsed))
    throw new JqlError(`Date value '${value}' for field 'updated' is invalid.`);
  return parsed;
}

function sorted(issues: readonly Issue[], clause: string): Issue[] {
  const [, field = '', direction = 'ASC'] = /^(\w+)(?:\s+(asc|desc))?/i.exec(clause) ?? [];
  const sign = direction.toUpperCase() === 'DESC' ? -1 : 1;
  const by = (issue: Issue): number =>
    field.toLowerCase() === 'updated' ? issue.updatedAt : issue.createdAt;
  return issues.toSorted((a, b) => sign * (by(a) - by(b) || a.id - b.id));
}
