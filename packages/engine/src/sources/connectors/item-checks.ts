import {
  isCheckpoint,
  TroveError,
  type BrowseEntry,
  type ChangesRequest,
  type Checkpoint,
  type Connector,
  type Entry,
  type SyncExplanation,
  type Health,
  type ListRequest,
} from '@trove/core';
import { hasMethod } from './capabilities.js';
import {
  changeProblem,
  checkpointProblem,
  copyEntry,
  cursorProblem,
  entryProblem,
  pathProblem,
  recordProblem,
  truncateRecord,
  validKey,
  type UsableChange,
} from './connector-validation.js';
import { explanationProblem } from './explanation-problem.js';
import { InvalidEntries } from './invalid-entries.js';
import { InvalidRecord, type RecordItem } from './invalid-record.js';
import { healthProblem, toSourceHealth, type SourceHealth } from './source-health.js';

const maxTextChars = 2000;
const maxWarnings = 20;

/** `restarted`: the changes since the last checkpoint follow again. */
export type CheckedChange = UsableChange | { readonly restarted: true };

/** Validates what a connector returns, in the terms of its author. */
export class ItemChecks {
  readonly #scheme: string;
  readonly #redact: (text: string) => string;
  readonly #invalidEntries = new InvalidEntries();

  constructor(scheme: string, redact: (text: string) => string) {
    this.#scheme = scheme;
    this.#redact = redact;
  }

  /** Redacts and truncates the connector's warnings, and limits their number. */
  withSafeWarnings<R extends ListRequest>(request: R): R {
    const { warn } = request;
    if (warn === undefined) return request;
    let left = maxWarnings;
    const safe = (sentence: unknown): void => {
      if (typeof sentence !== 'string') throw this.invalid('a warning is not a string');
      if (left-- > 0) warn(this.#redact(sentence).slice(0, maxTextChars));
    };
    return { ...request, warn: safe };
  }

  commitOf({ commit }: ChangesRequest): ChangesRequest['commit'] {
    return (cursor) => {
      const problem = cursorProblem(cursor);
      if (problem !== null) throw this.invalid(`changes committed an invalid cursor: ${problem}`);
      commit(cursor);
    };
  }

  changeChecker(): (change: UsableChange) => UsableChange {
    let isFirst = true;
    const checkEntry = this.entryChecker();
    return (change) => {
      this.check('changes', 'change', changeProblem(change, isFirst));
      isFirst = false;
      if ('mustRead' in change) return change;
      if ('entry' in change) return { entry: checkEntry(change.entry) };
      if (!('records' in change)) return change;
      if (change.records.some((record) => recordProblem(record) !== null))
        return { mustRead: change.path };
      return { ...change, records: change.records.map(truncateRecord) };
    };
  }

  recordChecker(keyFields?: readonly string[]): (item: RecordItem) => RecordItem {
    return (record) => {
      if (record instanceof InvalidRecord) return record;
      if (isCheckpoint(record)) {
        this.check('records', 'checkpoint', checkpointProblem(record.checkpoint));
        return record;
      }
      const problem = recordProblem(record, keyFields);
      if (problem === null) return truncateRecord(record);
      const error = this.invalid(describeInvalid('records', 'record', problem));
      return new InvalidRecord(error, validKey(record, keyFields));
    };
  }

  listChecker(): (item: Entry | Checkpoint) => Entry | Checkpoint {
    const checkEntry = this.entryChecker();
    return (item) => {
      if (!isCheckpoint(item)) return checkEntry(item);
      this.check('list', 'checkpoint', checkpointProblem(item.checkpoint));
      return item;
    };
  }

  /**
   * Checks the entries of a listing. An invalid path ends the listing. An entry with another invalid member fails alone
   * when it is read.
   */
  entryChecker(): (given: Entry) => Entry {
    const entries = this.#invalidEntries.ofListing();
    return (given) => {
      this.check('list', 'entry', pathProblem(given?.path));
      const { path } = given;
      const problem = entryProblem(given);
      if (!entries.add(path, problem)) this.check('list', 'entry', problem);
      if (problem === null) return this.redactSkip(copyEntry(given));
      return { path, size: null, modifiedAt: null, fingerprint: null };
    };
  }

  redactSkip<E extends Entry | BrowseEntry>(entry: E): E {
    const { skip } = entry;
    if (skip === undefined) return entry;
    return { ...entry, skip: this.#redact(skip).slice(0, maxTextChars) };
  }

  checkStat(entry: Entry): Entry {
    this.check('stat', 'entry', pathProblem(entry?.path) ?? entryProblem(entry));
    return copyEntry(entry);
  }

  assertValidEntry(path: string): void {
    this.check('list', 'entry', this.#invalidEntries.problemOf(path));
  }

  readonly checkPiece = (piece: Uint8Array): Uint8Array => {
    this.check('read', 'piece', piece instanceof Uint8Array ? null : 'it is not a `Uint8Array`');
    return piece;
  };

  validateConnector(connector: Connector): Connector {
    if (typeof connector !== 'object' || connector === null || !hasMethod(connector, 'list'))
      throw this.invalid('create must return an object with `list`');
    if (!hasMethod(connector, 'read') && !hasMethod(connector, 'records')) {
      throw this.invalid('create must return an object with `read` or `records`');
    }
    const capabilities = 'capabilities' in connector ? connector.capabilities : undefined;
    if (capabilities !== undefined && (typeof capabilities !== 'object' || capabilities === null))
      throw this.invalid('`capabilities` of the created connector must be an object');
    return connector;
  }

  validateHealth(health: Health): SourceHealth {
    const problem = healthProblem(health);
    if (problem !== null) throw this.invalid(`check resolved to an invalid health: ${problem}`);
    const detail = this.#redact(health.detail).slice(0, maxTextChars);
    return toSourceHealth({ ...health, detail });
  }

  validateExplanation(explanation: SyncExplanation): SyncExplanation {
    const problem = explanationProblem(explanation);
    if (problem !== null)
      throw this.invalid(`explain resolved to an invalid explanation: ${problem}`);
    const { incremental, requests } = explanation;
    return {
      incremental,
      requests: requests.map(({ name, request, body, repeats, paged = false }) => ({
        name: this.#redact(name),
        request: this.#redact(request),
        ...(body === undefined ? {} : { body: this.#redact(body) }),
        ...(repeats === undefined ? {} : { repeats: this.#redact(repeats) }),
        paged,
      })),
    };
  }

  check(method: string, what: string, problem: string | null): void {
    if (problem !== null) throw this.invalid(describeInvalid(method, what, problem));
  }

  invalid(problem: string): TroveError {
    return new TroveError('plugin_invalid', `connector ${this.#scheme}: ${problem}`);
  }
}

function describeInvalid(method: string, what: string, problem: string): string {
  return `${method} yielded an invalid ${what}: ${problem}`;
}
