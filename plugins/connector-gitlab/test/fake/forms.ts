import type { GitlabWorld, Item, Note, Release } from './world.js';

export type Json = Readonly<Record<string, unknown>>;

const commit = '6dcb09b5b57875f334f61aebed695e2e4193db5e';

export function userForm({ html }: GitlabWorld, username: string): Json {
  const id =
    Array.from(username).reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 100_000;
  return {
    id,
    username,
    public_email: null,
    name: username.charAt(0).toUpperCase() + username.slice(1),
    state: 'active',
    locked: false,
    avatar_url: null,
    web_url: `${html}/${username}`,
  };
}

export function projectForm(world: GitlabWorld): Json {
  const name = world.fullPath.split('/').at(-1);
  const page = `${world.html}/${world.fullPath}`;
  return {
    id: world.projectId,
    description: null,
    name,
    name_with_namespace: world.fullPath.replaceAll('/', ' / '),
    path: name,
    path_with_namespace: world.fullPath,
    created_at: '2026-01-01T00:00:00.000Z',
    default_branch: 'main',
    tag_list: [],
    topics: [],
    ssh_url_to_repo: `git@gitlab.example.com:${world.fullPath}.git`,
    http_url_to_repo: `${page}.git`,
    web_url: page,
    readme_url: null,
    forks_count: 0,
    avatar_url: null,
    star_count: 0,
    last_activity_at: dateTime(world.now),
    visibility: world.isPublic ? 'public' : 'private',
    archived: false,
    empty_repo: false,
    issues_enabled: world.enabled.issue,
    merge_requests_enabled: world.enabled.merge_request,
    wiki_enabled: true,
    creator_id: 1,
    open_issues_count: world.items.issue.size,
  };
}

export function itemForm(world: GitlabWorld, item: Item): Json {
  return {
    ...commonForm(world, item),
    ...(item.kind === 'issue' ? issueMembers(item) : mergeRequestMembers(world, item)),
  };
}

function commonForm(world: GitlabWorld, item: Item): Json {
  const mark = item.kind === 'issue' ? '#' : '!';
  const short = `${mark}${item.iid}`;
  const [assignee = null] = item.assignees.map((name) => userForm(world, name));
  return {
    id: item.id,
    iid: item.iid,
    project_id: world.projectId,
    title: item.title,
    description: item.description,
    state: item.state,
    created_at: dateTime(item.createdAt),
    updated_at: dateTime(item.updatedAt),
    closed_at: item.closedAt === null ? null : dateTime(item.closedAt),
    closed_by: null,
    labels: item.labels,
    milestone: item.milestone === null ? null : milestoneForm(world, item.milestone, item),
    assignees: item.assignees.map((name) => userForm(world, name)),
    assignee,
    author: userForm(world, item.author),
    user_notes_count: world.notesOf(item).filter(({ system }) => !system).length,
    upvotes: 0,
    downvotes: 0,
    discussion_locked: null,
    imported: false,
    imported_from: 'none',
    web_url: pageOf(world, item),
    references: { short, relative: short, full: `${world.fullPath}${short}` },
    time_stats: { time_estimate: 0, total_time_spent: 0 },
    task_completion_status: { count: 0, completed_count: 0 },
  };
}

function issueMembers(item: Item): Json {
  return {
    type: 'ISSUE',
    issue_type: 'issue',
    merge_requests_count: 0,
    due_date: null,
    confidential: item.confidential,
    has_tasks: false,
    blocking_issues_count: 0,
    severity: 'UNKNOWN',
    moved_to_id: item.movedToId,
    service_desk_reply_to: null,
  };
}

function mergeRequestMembers(world: GitlabWorld, item: Item): Json {
  return {
    merged_by: null,
    merge_user: null,
    merged_at: item.state === 'merged' ? dateTime(item.updatedAt) : null,
    target_branch: 'main',
    source_branch: `topic-${item.iid}`,
    reviewers: [],
    source_project_id: world.projectId,
    target_project_id: world.projectId,
    draft: false,
    work_in_progress: false,
    merge_when_pipeline_succeeds: false,
    merge_status: 'can_be_merged',
    detailed_merge_status: 'mergeable',
    sha: commit,
    merge_commit_sha: null,
    squash_commit_sha: null,
    should_remove_source_branch: null,
    force_remove_source_branch: null,
    prepared_at: dateTime(item.createdAt),
    reference: `!${item.iid}`,
    squash: false,
    squash_on_merge: false,
    has_conflicts: false,
    blocking_discussions_resolved: true,
  };
}

export function noteForm(world: GitlabWorld, note: Note): Json {
  const item = world.item(note.kind, note.iid);
  return {
    id: note.id,
    type: note.file === null ? null : 'DiffNote',
    body: note.body,
    author: userForm(world, note.author),
    created_at: dateTime(note.createdAt),
    updated_at: dateTime(note.updatedAt),
    system: note.system,
    noteable_id: item.id,
    noteable_type: note.kind === 'issue' ? 'Issue' : 'MergeRequest',
    project_id: world.projectId,
    resolvable: note.file !== null,
    ...(note.file === null ? {} : { position: positionForm(note.file), resolved: false }),
    confidential: false,
    internal: false,
    imported: false,
    imported_from: 'none',
    noteable_iid: note.iid,
    commands_changes: {},
  };
}

export function releaseForm(world: GitlabWorld, release: Release): Json {
  const page = `${world.html}/${world.fullPath}/-/releases/${release.tag}`;
  return {
    name: release.name,
    tag_name: release.tag,
    description: release.description,
    created_at: dateTime(release.createdAt),
    released_at: dateTime(release.createdAt),
    upcoming_release: false,
    author: userForm(world, release.author),
    commit: { id: commit, short_id: commit.slice(0, 8), title: 'Release' },
    commit_path: `/${world.fullPath}/-/commit/${commit}`,
    tag_path: `/${world.fullPath}/-/tags/${release.tag}`,
    assets: { count: 0, sources: [], links: [] },
    evidences: [],
    _links: { self: page },
  };
}

function positionForm(file: string): Json {
  return {
    base_sha: commit,
    start_sha: commit,
    head_sha: commit,
    old_path: file,
    new_path: file,
    position_type: 'text',
    old_line: null,
    new_line: 2,
  };
}

function milestoneForm(world: GitlabWorld, title: string, { createdAt }: Item): Json {
  return {
    id: 12,
    iid: 3,
    project_id: world.projectId,
    title,
    description: null,
    state: 'active',
    created_at: dateTime(createdAt),
    updated_at: dateTime(createdAt),
    due_date: null,
    start_date: null,
    expired: false,
    web_url: `${world.html}/${world.fullPath}/-/milestones/3`,
  };
}

function pageOf(world: GitlabWorld, { kind, iid }: Item): string {
  return `${world.html}/${world.fullPath}/-/${kind}s/${iid}`;
}

/** Whole seconds come without milliseconds, as the service writes them in some places. */
function dateTime(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
