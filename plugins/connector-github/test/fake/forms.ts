import { dateTime, userForm, type Addresses } from './addresses.js';
import type { Comment, GithubWorld, Item, Release, Review } from './world.js';

type Json = Record<string, unknown>;

/** An issue, or the issue of a pull request, as a listing contains it. */
export function issueForm(world: GithubWorld, item: Item, { api, html }: Addresses): Json {
  const url = `${api}/issues/${item.number}`;
  return {
    url,
    repository_url: api,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: `${html}/${item.isPull ? 'pull' : 'issues'}/${item.number}`,
    id: item.id,
    node_id: nodeId('Issue', item.id),
    number: item.number,
    title: item.title,
    user: userForm(item.user, api),
    labels: item.labels.map((name, index) => labelForm(name, index, api)),
    state: item.state,
    locked: false,
    assignee: item.assignees[0] === undefined ? null : userForm(item.assignees[0], api),
    assignees: item.assignees.map((login) => userForm(login, api)),
    milestone: item.milestone === null ? null : milestoneForm(item.milestone, item, api, html),
    comments: [...world.comments.values()].filter(({ number }) => number === item.number).length,
    created_at: dateTime(item.createdAt),
    updated_at: dateTime(item.updatedAt),
    closed_at: dateTimeOrNull(item.closedAt),
    author_association: 'MEMBER',
    active_lock_reason: null,
    ...(item.isPull ? { draft: false, pull_request: pullLinks(item, api, html) } : {}),
    body: item.body,
    reactions: reactions(url),
    timeline_url: `${url}/timeline`,
    performed_via_github_app: null,
    state_reason: item.state === 'closed' && !item.isPull ? 'completed' : null,
  };
}

function pullLinks(item: Item, api: string, html: string): Json {
  const page = `${html}/pull/${item.number}`;
  return {
    url: `${api}/pulls/${item.number}`,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    merged_at: dateTimeOrNull(item.mergedAt),
  };
}

export function commentForm(comment: Comment, isPull: boolean, { api, html }: Addresses): Json {
  const url = `${api}/issues/comments/${comment.id}`;
  const page = `${html}/${isPull ? 'pull' : 'issues'}/${comment.number}`;
  return {
    url,
    html_url: `${page}#issuecomment-${comment.id}`,
    issue_url: `${api}/issues/${comment.number}`,
    id: comment.id,
    node_id: nodeId('IssueComment', comment.id),
    user: userForm(comment.user, api),
    created_at: dateTime(comment.createdAt),
    updated_at: dateTime(comment.updatedAt),
    author_association: 'MEMBER',
    body: comment.body,
    reactions: reactions(url),
    performed_via_github_app: null,
  };
}

export function lineCommentForm(comment: Comment, { api, html }: Addresses): Json {
  const url = `${api}/pulls/comments/${comment.id}`;
  const page = `${html}/pull/${comment.number}#discussion_r${comment.id}`;
  const pull = `${api}/pulls/${comment.number}`;
  return {
    url,
    pull_request_review_id: null,
    id: comment.id,
    node_id: nodeId('PullRequestReviewComment', comment.id),
    diff_hunk: '@@ -1,3 +1,3 @@\n-old\n+new',
    path: comment.file,
    commit_id: commit,
    original_commit_id: commit,
    user: userForm(comment.user, api),
    body: comment.body,
    created_at: dateTime(comment.createdAt),
    updated_at: dateTime(comment.updatedAt),
    html_url: page,
    pull_request_url: pull,
    author_association: 'MEMBER',
    _links: { self: { href: url }, html: { href: page }, pull_request: { href: pull } },
    reactions: reactions(url),
    start_line: null,
    original_start_line: null,
    start_side: null,
    line: 2,
    original_line: 2,
    side: 'RIGHT',
    original_position: 2,
    position: 2,
    subject_type: 'line',
  };
}

export function reviewForm(review: Review, { api, html }: Addresses): Json {
  const page = `${html}/pull/${review.number}#pullrequestreview-${review.id}`;
  const pull = `${api}/pulls/${review.number}`;
  return {
    id: review.id,
    node_id: nodeId('PullRequestReview', review.id),
    user: userForm(review.user, api),
    body: review.body,
    state: review.state,
    html_url: page,
    pull_request_url: pull,
    author_association: 'MEMBER',
    _links: { html: { href: page }, pull_request: { href: pull } },
    submitted_at: dateTime(review.submittedAt),
    commit_id: commit,
  };
}

export function releaseForm(release: Release, { api, html }: Addresses): Json {
  const url = `${api}/releases/${release.id}`;
  return {
    url,
    assets_url: `${url}/assets`,
    upload_url: `${url}/assets{?name,label}`,
    html_url: `${html}/releases/tag/${release.tag}`,
    id: release.id,
    author: userForm(release.user, api),
    node_id: nodeId('Release', release.id),
    tag_name: release.tag,
    target_commitish: 'main',
    name: release.name,
    draft: release.draft,
    immutable: false,
    prerelease: false,
    created_at: dateTime(release.createdAt),
    updated_at: dateTime(release.updatedAt),
    published_at: release.draft ? null : dateTime(release.createdAt),
    assets: [],
    tarball_url: release.draft ? null : `${api}/tarball/${release.tag}`,
    zipball_url: release.draft ? null : `${api}/zipball/${release.tag}`,
    body: release.body,
  };
}

const commit = '6dcb09b5b57875f334f61aebed695e2e4193db5e';

function labelForm(name: string, index: number, api: string): Json {
  const id = 208_045_946 + index;
  const url = `${api}/labels/${encodeURIComponent(name)}`;
  return {
    id,
    node_id: nodeId('Label', id),
    url,
    name,
    description: null,
    color: 'd73a4a',
    default: false,
  };
}

function milestoneForm(title: string, { createdAt }: Item, api: string, html: string): Json {
  return {
    url: `${api}/milestones/1`,
    html_url: `${html}/milestone/1`,
    labels_url: `${api}/milestones/1/labels`,
    id: 1_002_604,
    node_id: nodeId('Milestone', 1),
    number: 1,
    title,
    description: null,
    creator: userForm('ann', api),
    open_issues: 1,
    closed_issues: 0,
    state: 'open',
    created_at: dateTime(createdAt),
    updated_at: dateTime(createdAt),
    due_on: null,
    closed_at: null,
  };
}

function reactions(url: string): Json {
  const counts = ['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes'];
  return {
    url: `${url}/reactions`,
    total_count: 0,
    ...Object.fromEntries(counts.map((name) => [name, 0])),
  };
}

function nodeId(type: string, id: number): string {
  return Buffer.from(`${type}${id}`).toString('base64');
}

function dateTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : dateTime(ms);
}
