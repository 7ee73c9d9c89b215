import { isThreadMessage, type ThreadMessage } from './thread-unit.js';
import { MessageLog, type LogLine } from './message-log.js';
import type { BufferedThread } from './thread-buffer.js';
import type { TaskFile } from '../tasks/task-files.js';

/** The limit of a thread, which must fit into memory. */
const maxThreadBytes = 8 * 1024 * 1024;
/** Bounds the memory for the places of messages. */
const maxThreads = 200_000;

/** A line of the log. Each names the line before it in its thread. */
interface Line {
  readonly thread: string;
  readonly before: LogLine | null;
  readonly message: ThreadMessage;
}

interface ThreadState {
  readonly last: LogLine;
  readonly bytes: number;
  /** The thread has more messages than fit into memory. */
  readonly isTruncated: boolean;
}

/** Collects the messages of a first or full sync by thread, in memory and in the file of the task. */
export class CollectedThreads {
  readonly #log: MessageLog;
  readonly #threads: Map<string, ThreadState>;

  private constructor(log: MessageLog, threads = new Map<string, ThreadState>()) {
    this.#log = log;
    this.#threads = threads;
  }

  static create(file: TaskFile): CollectedThreads {
    return new CollectedThreads(MessageLog.create(file));
  }

  /** Continues after an earlier attempt, which saved this many bytes. Returns null if they are lost. */
  static async resume(file: TaskFile, bytes: number): Promise<CollectedThreads | null> {
    const threads = new Map<string, ThreadState>();
    const log = await MessageLog.reopen(file, bytes, (line, value) => {
      if (isLine(value)) threads.set(value.thread, extend(threads.get(value.thread), line));
    });
    return log === null ? null : new CollectedThreads(log, threads);
  }

  async add(thread: string, message: ThreadMessage): Promise<void> {
    const known = this.#threads.get(thread);
    if (known === undefined && this.#threads.size >= maxThreads) return;
    if (known !== undefined && known.bytes >= maxThreadBytes) {
      this.#threads.set(thread, { ...known, isTruncated: true });
      return;
    }
    const line: Line = { thread, before: known?.last ?? null, message };
    const place = await this.#log.append(line);
    if (place !== null) this.#threads.set(thread, extend(known, place));
  }

  /**
   * Removes and returns a thread, with the last version of each of its messages. Undefined if it was not seen or is
   * damaged. Its caller checks that no message is missing, because the log may have been full.
   */
  async take(thread: string): Promise<BufferedThread | undefined> {
    const state = this.#threads.get(thread);
    if (state === undefined) return undefined;
    this.#threads.delete(thread);
    const found = new Map<string, ThreadMessage>();
    for (let place: LogLine | null = state.last; place !== null;) {
      const line: unknown = await this.#log.read(place);
      if (!isLine(line) || line.thread !== thread) return undefined;
      const { name } = line.message;
      if (!found.has(name)) found.set(name, line.message);
      place = line.before;
    }
    const messages = [...found.values()].toReversed();
    return { messages, isTruncated: state.isTruncated, chars: state.bytes };
  }

  /** Makes the messages survive a crash. Returns the number of bytes to resume with, or null if they cannot. */
  save(): Promise<number | null> {
    return this.#log.save();
  }

  close(): Promise<void> {
    return this.#log.close();
  }
}

function extend(known: ThreadState | undefined, last: LogLine): ThreadState {
  return {
    last,
    bytes: (known?.bytes ?? 0) + last.bytes,
    isTruncated: known?.isTruncated === true,
  };
}

function isLine(value: unknown): value is Line {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'thread' in value && 'before' in value && 'message' in value && isThreadMessage(value.message)
  );
}
