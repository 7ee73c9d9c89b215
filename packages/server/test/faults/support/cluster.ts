import { Pool } from 'pg';
import type { ServerProcess } from './server-process.js';
import type { Snapshot } from './snapshot.js';
import { snapshotOfPostgres, type World } from './world.js';

/** Servers and workers of one machine that share a PostgreSQL database and an index. */
export class Cluster {
  readonly workers: ServerProcess[] = [];
  api: ServerProcess | undefined;
  url = '';
  readonly #world: World;
  readonly #dsn: string;
  readonly #database: Pool;
  readonly #name: string;

  constructor(world: World, dsn: string, name = 'shared') {
    this.#world = world;
    this.#dsn = dsn;
    this.#database = new Pool({ connectionString: dsn, max: 1, allowExitOnIdle: true });
    // The server may end before its connections.
    this.#database.on('error', () => undefined);
    this.#name = name;
  }

  async startApi(): Promise<void> {
    this.api = this.#world.start(['api', '--bind', '127.0.0.1:0'], this.#env);
    this.url = await this.api.url();
  }

  startWorker(): ServerProcess {
    const worker = this.#world.start(['worker', '--concurrency', '1'], this.#env);
    this.workers.push(worker);
    return worker;
  }

  async stop(): Promise<void> {
    const processes = [...this.workers, ...(this.api === undefined ? [] : [this.api])];
    await Promise.all(processes.map((process) => process.end('SIGTERM')));
  }

  /** The processes of the workers that hold tasks. */
  async taskHolders(): Promise<number[]> {
    const rows = await this.query(
      'select distinct worker from trove_tasks where worker is not null',
    );
    return rows.map(pidOf);
  }

  /** Makes the database record which processes hold tasks. */
  async rememberHolders(): Promise<void> {
    await this.query(`create table if not exists holders (worker text primary key);
      truncate holders;
      create or replace function remember_holder() returns trigger language plpgsql as $$ begin
        insert into holders values (new.worker) on conflict do nothing;
        return new;
      end $$;
      create or replace trigger remember_holder after update on trove_tasks for each row
        when (new.worker is not null) execute function remember_holder()`);
  }

  async holdersSoFar(): Promise<ReadonlySet<number>> {
    return new Set((await this.query('select worker from holders')).map(pidOf));
  }

  /** Expires all leases of a process. */
  async expireLeases(pid: number): Promise<void> {
    const mine = `worker like '%/${pid}/%'`;
    await this.query(`update trove_jobs set lease_until = 0 where ${mine}`);
    await this.query(`update trove_tasks set lease_until = 0 where ${mine}`);
  }

  snapshot(): Promise<Snapshot> {
    return snapshotOfPostgres(this.#dsn, this.#index);
  }

  async query(sql: string): Promise<Record<string, unknown>[]> {
    const { rows } = await this.#database.query<Record<string, unknown>>(sql);
    return rows;
  }

  /** Number of deadlocks since the database was created. */
  async deadlocks(): Promise<number> {
    const [row] = await this.query(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    return Number(row?.['deadlocks']);
  }

  get #index(): string {
    return this.#world.path(this.#name, 'index');
  }

  get #env(): Record<string, string> {
    return {
      TROVE_HOME: this.#world.path(this.#name, 'home'),
      TROVE_METADATA_BACKEND: 'postgres',
      TROVE_METADATA_DSN: this.#dsn,
      TROVE_INDEX_URI: this.#index,
    };
  }
}

function pidOf({ worker }: Record<string, unknown>): number {
  return Number(String(worker).split('/')[1]);
}
