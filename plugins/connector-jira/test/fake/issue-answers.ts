import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';
import { attachmentForm, commentForm, issueForm, type Site } from './forms.js';
import { canBrowse } from './jql.js';
import { problem, unknownIssue } from './problems.js';
import type { Issue } from './world.js';

const maxBulk = 100;

/** Answers for single issues, their comments and attachments. Undefined: the path names something else. */
export function issueAnswer(
  site: Site,
  request: FakeRequest,
  path: string,
  isAnonymous: boolean,
): FakeAnswer | undefined {
  if (path === '/issue/bulkfetch') return bulkFetch(site, request, isAnonymous);
  const [, id, part, comment] = /^\/issue\/([^/]+)(\/comment(?:\/(\d+))?)?$/.exec(path) ?? [];
  if (id === undefined) return undefined;
  const issue = visibleIssue(site, id, isAnonymous);
  if (issue === undefined) return unknownIssue();
  if (comment !== undefined) return oneComment(site, issue, Number(comment));
  if (part === '/comment') return commentPage(site, request, issue);
  const fields = (request.query.get('fields') ?? '*all').split(',');
  return { json: { fields: {}, ...Object(issueForm(site, issue, fields)) } };
}

/** An attachment or its bytes. Cloud redirects to the media service, which needs no login. */
export function attachmentAnswer(
  site: Site,
  path: string,
  isAnonymous: boolean,
): FakeAnswer | undefined {
  const [, media] = /^\/media\/(\d+)$/.exec(path) ?? [];
  const [, asked] =
    /^\/rest\/api\/3\/attachment\/content\/(\d+)$/.exec(path) ??
    /^\/secure\/attachment\/(\d+)\//.exec(path) ??
    [];
  const [, described] = /^\/rest\/api\/[23]\/attachment\/(\d+)$/.exec(path) ?? [];
  const id = media ?? asked ?? described;
  if (id === undefined) return undefined;
  const { world, origin } = site;
  const attachment = world.attachments.get(Number(id));
  if (attachment === undefined || (isAnonymous && media === undefined))
    return problem(404, `The attachment with id '${id}' does not exist`);
  if (described !== undefined) return { json: attachmentForm(site, attachment) };
  if (media === undefined && world.edition === 'cloud')
    return { status: 303, headers: { location: `${origin}/media/${id}` }, body: '' };
  return { headers: { 'content-type': attachment.mediaType }, body: attachment.bytes };
}

function visibleIssue({ world }: Site, idOrKey: string, isAnonymous: boolean): Issue | undefined {
  const issue = world.find(idOrKey);
  return issue !== undefined && canBrowse(world, issue.project, isAnonymous) ? issue : undefined;
}

function oneComment(site: Site, issue: Issue, id: number): FakeAnswer {
  const comment = site.world.commentsOf(issue.id).find((each) => each.id === id);
  if (comment === undefined) return problem(404, `Can not find a comment for the id: ${id}.`);
  return { json: commentForm(site, comment) };
}

function commentPage(site: Site, { query }: FakeRequest, { id }: Issue): FakeAnswer {
  const all = site.world.commentsOf(id);
  const startAt = Number(query.get('startAt') ?? 0);
  const maxResults = Math.min(Number(query.get('maxResults') ?? 100), 100);
  const comments = all.slice(startAt, startAt + maxResults);
  return {
    json: {
      startAt,
      maxResults,
      total: all.length,
      comments: comments.map((comment) => commentForm(site, comment)),
    },
  };
}

function bulkFetch(site: Site, { body }: FakeRequest, isAnonymous: boolean): FakeAnswer {
  const { issueIdsOrKeys, fields }: Record<string, unknown> = Object(body);
  const ids = Array.isArray(issueIdsOrKeys) ? issueIdsOrKeys.map(String) : [];
  if (ids.length === 0 || ids.length > maxBulk)
    return problem(400, `Between 1 and ${maxBulk} issues can be requested.`);
  const found = ids.map((id) => ({ id, issue: visibleIssue(site, id, isAnonymous) }));
  const wanted = Array.isArray(fields) ? fields.map(String) : ['*navigable'];
  return {
    json: {
      expand: 'names,schema',
      issues: found.flatMap(({ issue }) =>
        issue === undefined ? [] : issueForm(site, issue, wanted),
      ),
      issueErrors: found.flatMap(({ id, issue }) =>
        issue === undefined
          ? { id, errorMessage: 'Issue does not exist or you do not have permission to see it.' }
          : [],
      ),
    },
  };
}
