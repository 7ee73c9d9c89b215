import type { Migration } from '../database/migrate.js';

/*
 * Connectors and jobs carry the namespace, or the catalogue of a generation in it. Objects, tasks and failures refer to
 * them by number. Tasks are deleted with their job. The job's counts and failures remain, and so do failed tasks for
 * the next sync (`trove_failed_tasks`). A graph consists of its generations: at most one is current, and at most one is
 * staged.
 */

const first: Migration = ({ serial, text, real, key, bytes }) => [
  `create table trove_namespaces (
    namespace ${text} primary key,
    id ${text} not null
  )`,
  `create table trove_connectors (
    seq ${serial},
    namespace ${text} not null,
    id ${text} not null,
    root_hash ${text} not null,
    root_uri ${text} not null,
    type ${text} not null,
    status ${text} not null,
    config ${text},
    tree ${text},
    state ${text},
    registered_at bigint not null,
    last_synced_at bigint,
    problem_code ${text},
    problem_detail ${text},
    unique (namespace, id),
    unique (namespace, root_hash)
  )`,
  `create table trove_objects (
    connector bigint not null references trove_connectors (seq) on delete cascade,
    id ${text} not null,
    path ${text} not null,
    kind ${text} not null,
    media_type ${text},
    size ${real},
    modified_at ${real},
    revision ${text},
    identity ${text},
    content_hash ${text},
    title ${text},
    search_status ${text} not null,
    indexable integer not null,
    reason ${text},
    chunks bigint not null,
    primary key (connector, id)
  )`,
  `create index trove_objects_stats on trove_objects (connector, search_status, chunks)`,
  `create index trove_objects_path on trove_objects (connector, (${key('path')}))`,
  `create index trove_objects_identity on trove_objects (connector, (${key('identity')}))
    where identity is not null`,
  `create table trove_records (
    n ${serial},
    connector bigint not null references trove_connectors (seq) on delete cascade,
    object_id ${text} not null,
    key ${text} not null,
    version ${text},
    chunks bigint not null,
    thread ${text},
    is_truncated integer not null,
    unique (connector, object_id, key)
  )`,
  `create index trove_records_thread on trove_records (connector, object_id, thread)
    where thread is not null`,
  // Most records are not truncated and add nothing to this index.
  `create index trove_records_truncated on trove_records (connector, object_id) where is_truncated = 1`,
  `create table trove_summaries (
    connector bigint not null references trove_connectors (seq) on delete cascade,
    id ${text} not null,
    path ${text} not null,
    kind ${text} not null,
    summary ${text} not null,
    revision ${text} not null,
    primary key (connector, id)
  )`,
  `create index trove_summaries_path on trove_summaries (connector, (${key('path')}))`,
  `create table trove_jobs (
    seq ${serial},
    namespace ${text} not null,
    id ${text} not null,
    connector_id ${text} not null,
    target ${text} not null,
    op_kind ${text} not null,
    triggered_by ${text} not null,
    status ${text} not null,
    full_sync integer not null,
    since ${text},
    problem_code ${text},
    problem_detail ${text},
    total bigint not null default 0,
    added bigint not null default 0,
    changed bigint not null default 0,
    removed bigint not null default 0,
    unchanged bigint not null default 0,
    left_out bigint not null default 0,
    failed bigint not null default 0,
    cancelled bigint not null default 0,
    chunks bigint not null default 0,
    chunks_without_vector bigint not null default 0,
    summarizing integer not null default 0,
    paused_until bigint,
    summaries bigint not null default 0,
    summaries_missing bigint not null default 0,
    model_calls bigint not null default 0,
    model_input_tokens bigint not null default 0,
    model_output_tokens bigint not null default 0,
    open_tasks bigint not null default 0,
    created_at bigint not null,
    started_at bigint,
    finished_at bigint,
    listed integer not null default 0,
    state ${text},
    warnings ${text} not null default '[]',
    left_out_reasons ${text} not null default '[]',
    cancel_requested integer not null default 0,
    attempt integer not null default 0,
    deaths integer not null default 0,
    worker ${text},
    lease_until bigint,
    unique (namespace, id)
  )`,
  `create unique index trove_jobs_live on trove_jobs (namespace, connector_id)
    where status in ('queued', 'running')`,
  `create index trove_jobs_connector on trove_jobs (namespace, connector_id, status)`,
  `create table trove_tasks (
    id ${serial},
    job bigint not null references trove_jobs (seq) on delete cascade,
    object_id ${text} not null,
    path ${text} not null,
    op ${text} not null,
    entry ${text},
    from_object_id ${text},
    priority ${real} not null,
    attempt integer not null default 0,
    deaths integer not null default 0,
    due_at bigint not null default 0,
    worker ${text},
    lease_until bigint,
    outcome ${text},
    unique (job, object_id)
  )`,
  `create index trove_tasks_open on trove_tasks (job, priority, id) where outcome is null`,
  `create index trove_tasks_from on trove_tasks (job, from_object_id)
    where from_object_id is not null`,
  `create index trove_tasks_worker on trove_tasks (worker) where worker is not null`,
  `create table trove_failures (
    seq ${serial},
    job bigint not null references trove_jobs (seq) on delete cascade,
    task bigint not null,
    path ${text} not null,
    code ${text} not null,
    error ${text} not null
  )`,
  `create index trove_failures_job on trove_failures (job, seq)`,
  `create table trove_failed_tasks (
    connector bigint not null references trove_connectors (seq) on delete cascade,
    object_id ${text} not null,
    path ${text} not null,
    op ${text} not null,
    entry ${text},
    from_object_id ${text},
    priority ${real} not null,
    primary key (connector, object_id)
  )`,
  // One row per part of a listing. Marking each listed object would rewrite all objects at every sync.
  `create table trove_listed_parts (
    job bigint not null references trove_jobs (seq) on delete cascade,
    ids ${text},
    left_out bigint not null,
    changed ${text},
    added ${text}
  )`,
  'create index trove_listed_parts_job on trove_listed_parts (job)',
  `create table trove_graph_generations (
    seq ${serial},
    namespace ${text} not null,
    graph ${text} not null,
    generation ${text} not null,
    status ${text} not null,
    lease_until bigint,
    content ${text},
    built_at bigint,
    unique (namespace, generation)
  )`,
  `create table trove_trained_states (
    namespace ${text} not null,
    embedding ${text} not null,
    id ${text} not null,
    state ${bytes} not null,
    primary key (namespace, embedding)
  )`,
  ...['current', 'staged'].map(
    (status) => `create unique index trove_graph_generations_${status} on trove_graph_generations
      (namespace, graph) where status = '${status}'`,
  ),
];

/** Jobs may be limited to some paths. */
const second: Migration = ({ text }) => [`alter table trove_jobs add column paths ${text}`];

/**
 * A generation holds everything known with one embedding. Connectors and jobs of a generation have its `catalogue` as
 * their namespace. The first generation of a namespace uses the namespace itself, so older data belongs to it.
 */
const third: Migration = ({ text }) => [
  `create table trove_generations (
    namespace ${text} not null,
    number integer not null,
    catalogue ${text} not null,
    embedding ${text} not null,
    dimension integer not null,
    used_at bigint not null,
    state ${text} not null,
    primary key (namespace, number)
  )`,
  `create unique index trove_generations_used on trove_generations (namespace, embedding)
    where state = 'used'`,
  'alter table trove_connectors add column is_complete integer not null default 0',
  'update trove_connectors set is_complete = 1 where last_synced_at is not null',
];

/** Counting the chunks of an object reads only the records that do not have exactly one. */
const fourth: Migration = () => [
  `create index trove_records_chunks on trove_records (connector, object_id, chunks)
    where chunks <> 1`,
];

/** Parts of a listing in which every object was unchanged. */
const fifth: Migration = ({ text }) => [
  `create table trove_known_parts (
    connector bigint not null references trove_connectors (seq) on delete cascade,
    digest ${text} not null,
    ids ${text} not null,
    left_out bigint not null,
    primary key (connector, digest)
  )`,
  `alter table trove_listed_parts add column digest ${text}`,
];

/** Listings and tasks can continue after their last checkpoints. */
const sixth: Migration = ({ text }) => [
  `alter table trove_jobs add column checkpoint ${text}`,
  `alter table trove_tasks add column checkpoint ${text}`,
  'alter table trove_listed_parts add column is_kept integer not null default 0',
  'create index trove_listed_parts_new on trove_listed_parts (job) where is_kept = 0',
];

/** The facts that a source stated about an object. Null in older rows. */
const seventh: Migration = ({ text }) => [`alter table trove_objects add column stated ${text}`];

/** A range of times selects records of an object. Rows of tables usually have no time and add nothing to the index. */
const eighth: Migration = ({ real }) => [
  `alter table trove_records add column at ${real}`,
  `create index trove_records_at on trove_records (connector, object_id, at) where at is not null`,
];

/** Schedules and the history of failures. The time of a problem in older rows is unknown. */
const ninth: Migration = ({ text }) => [
  'alter table trove_connectors add column next_sync_at bigint',
  'alter table trove_connectors add column failures integer not null default 0',
  'alter table trove_connectors add column failing_since bigint',
  `alter table trove_connectors add column error_code ${text}`,
  `alter table trove_connectors add column error_detail ${text}`,
  'alter table trove_connectors add column error_at bigint',
  'create index trove_connectors_planned on trove_connectors (namespace, next_sync_at)',
  'create index trove_connectors_failing on trove_connectors (namespace) where failures > 0',
];

/** An alert is due again when its lease has expired. */
const tenth: Migration = ({ serial, text }) => [
  `create table trove_incidents (
    namespace ${text} not null,
    incident ${text} not null,
    code ${text} not null,
    since bigint not null,
    primary key (namespace, incident)
  )`,
  `create table trove_alerts (
    seq ${serial},
    namespace ${text} not null,
    id ${text} not null,
    incident ${text} not null,
    channel ${text} not null,
    body ${text} not null,
    created_at bigint not null,
    due_at bigint not null,
    attempt integer not null default 0,
    worker ${text},
    unique (namespace, id)
  )`,
];

/** Former root URIs of a moved source, while index rows may have them. */
const eleventh: Migration = ({ text }) => [
  `alter table trove_connectors add column moved_from ${text} not null default '[]'`,
];

/** A name may have several tokens after a rotation, but only one that is not replaced. */
const twelfth: Migration = ({ text }) => [
  `create table trove_tokens (
    namespace ${text} not null,
    id ${text} not null,
    name ${text} not null,
    hash ${text} not null,
    rights ${text} not null,
    paths ${text},
    created_at bigint not null,
    last_used_at bigint,
    ends_at bigint,
    is_replaced integer not null default 0,
    primary key (namespace, id)
  )`,
  `create unique index trove_tokens_name on trove_tokens (namespace, name) where is_replaced = 0`,
];

/** Moves are rare and short, but queries look for them. */
const thirteenth: Migration = () => [
  `create index trove_connectors_moved on trove_connectors (namespace) where moved_from <> '[]'`,
];

export const migrations: readonly Migration[] = [
  first,
  second,
  third,
  fourth,
  fifth,
  sixth,
  seventh,
  eighth,
  ninth,
  tenth,
  eleventh,
  twelfth,
  thirteenth,
];
