/* Threads and processes, for plugins that compute or block: `context.workers`. */

export interface ThreadOptions {
  /** What the module gets as `workerData`. It is cloned. */
  readonly data?: unknown;
  /** MiB. Maximum heap; the thread ends when it needs more. Default: that of Node. */
  readonly heapMiB?: number;
  /** MiB. Maximum heap of young objects. Default 6: more room costs memory and saves little time. */
  readonly youngHeapMiB?: number;
  /** `low`: other threads get the processors first, where the system allows that for a single thread. Default `normal`. */
  readonly priority?: 'normal' | 'low';
}

export interface ProcessOptions {
  /** What the module gets as JSON in `process.argv[2]`. */
  readonly data?: unknown;
  /** MiB. Maximum heap; the process ends when it needs more. Default: that of Node. */
  readonly heapMiB?: number;
  /** `low`: other processes get the processors first. Default `normal`. */
  readonly priority?: 'normal' | 'low';
  /** Its environment variables. Default: those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where its standard error goes. Default `ignore`. */
  readonly stderr?: 'ignore' | 'inherit';
  /** Gives it a temporary folder of its own, which is removed when it ends. */
  readonly hasTempFolder?: boolean;
}

export interface ThreadPoolOptions extends ThreadOptions {
  /** Maximum number of threads in use; further callers wait for one. */
  readonly maxThreads: number;
  /**
   * When no caller got a thread for a second, one more is started, up to this number: the others may hang in a system call.
   * Default: `maxThreads`.
   */
  readonly maxThreadsIfStalled?: number;
  /** Maximum number of idle threads. Default: all. */
  readonly maxIdle?: number;
  /** Milliseconds after which an idle thread ends. Default 5000. */
  readonly idleMs?: number;
  /** The same for the last idle thread. Default: `idleMs`. */
  readonly lastIdleMs?: number;
}

export interface WorkerListener {
  /** Receives each message of the worker. */
  message(message: unknown): void;
  /** Called once, when the worker has ended: by itself, or because of `terminate`. */
  ended(error: Error): void;
}

/** A thread or a process. It does not keep this process alive, unless `ref` is called. */
export interface WorkerHandle {
  /**
   * Buffers in `transfer` move to a thread, and are copied to a process. Messages to a worker that has ended are dropped.
   * Throws if the message cannot be cloned.
   */
  postMessage(message: object, transfer?: readonly ArrayBuffer[]): void;
  /** Replaces the listener. Without one, messages are dropped. */
  listen(listener: WorkerListener | null): void;
  ref(): void;
  unref(): void;
  /** Resolves when the worker has ended. A thread in a system call that hangs does not end. */
  terminate(): Promise<void>;
}

export interface ProcessHandle extends WorkerHandle {
  /** Undefined if the process could not be started. */
  readonly pid: number | undefined;
  /** From now on it gets only the processor time that no other process wants, where the system allows that. */
  yieldProcessors(): void;
}

/** Threads that run the same module. Each is used by one caller at a time. */
export interface ThreadPool {
  /** A thread that is the caller's until it calls `release` or `destroy`. Throws the signal's reason when that aborts. */
  acquire(signal: AbortSignal): Promise<WorkerHandle>;
  /** Returns a thread that has nothing left to do. */
  release(thread: WorkerHandle): void;
  /** Ends an acquired thread. Another may start in its place at once. */
  destroy(thread: WorkerHandle): Promise<void>;
}

/**
 * Starts threads and processes. A module runs in a thread if it computes or blocks, and in a process if it may also crash or
 * take too much memory. All of them end when the engine closes.
 */
export interface Workers {
  startThread(module: URL, options?: ThreadOptions): WorkerHandle;
  /**
   * The module talks over `process.send` and `process.on('message')`. Its process ignores SIGINT, SIGTERM and SIGHUP, and ends
   * when this process does.
   */
  startProcess(module: URL, options?: ProcessOptions): ProcessHandle;
  /** The pool of a module; all plugins of an engine share it, with the options of the first call. */
  threadPool(module: URL, options: ThreadPoolOptions): ThreadPool;
}
