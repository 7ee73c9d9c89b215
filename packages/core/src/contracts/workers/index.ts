/* Threads and processes, for plugins that compute or block: `context.workers`. */

export interface ThreadOptions {
  /** The `workerData` of the module. It is cloned. */
  readonly data?: unknown;
  /** Maximum heap in MiB. A thread that needs more ends. Default: that of Node. */
  readonly heapMiB?: number;
  /** Maximum heap of young objects in MiB. Default 6, because more costs memory and saves little time. */
  readonly youngHeapMiB?: number;
  /**
   * `low`: other threads get the processors first, if the system supports this for single threads. Default `normal`.
   */
  readonly priority?: 'normal' | 'low';
}

export interface ProcessOptions {
  /** The data of the module, as JSON in `process.argv[2]`. */
  readonly data?: unknown;
  /** Maximum heap in MiB. A process that needs more ends. Default: that of Node. */
  readonly heapMiB?: number;
  /** `low`: other processes get the processors first. Default `normal`. */
  readonly priority?: 'normal' | 'low';
  /** Environment variables. Default: those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The target of its standard error. Default `ignore`. */
  readonly stderr?: 'ignore' | 'inherit';
  /** Creates a temporary folder for the process and removes it at the end of the process. */
  readonly hasTempFolder?: boolean;
}

export interface ThreadPoolOptions extends ThreadOptions {
  /** Maximum number of threads in use. Further callers wait. */
  readonly maxThreads: number;
  /**
   * If no caller gets a thread for a second, one more starts, up to this number, because the others may hang in a
   * system call. Default: `maxThreads`.
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
  /** Called once, at the end of the worker, including after `terminate`. */
  ended(error: Error): void;
}

/** A thread or a process. It keeps this process alive only after `ref`. */
export interface WorkerHandle {
  /**
   * Sends a message. Buffers in `transfer` move to a thread and are copied to a process. Messages to an ended worker
   * are dropped. Throws if the message cannot be cloned.
   */
  postMessage(message: object, transfer?: readonly ArrayBuffer[]): void;
  /** Replaces the listener. Without one, messages are dropped. */
  listen(listener: WorkerListener | null): void;
  ref(): void;
  unref(): void;
  /** Ends the worker and resolves at its end. A thread that hangs in a system call does not end. */
  terminate(): Promise<void>;
}

export interface ProcessHandle extends WorkerHandle {
  /** Undefined if the process could not be started. */
  readonly pid: number | undefined;
  /** Limits the process to processor time that no other process needs, if the system supports this. */
  yieldProcessors(): void;
}

/** Threads that run the same module. Each serves one caller at a time. */
export interface ThreadPool {
  /** Reserves a thread until the caller calls `release` or `destroy`. Throws the signal's reason. */
  acquire(signal: AbortSignal): Promise<WorkerHandle>;
  /** Returns an idle thread to the pool. */
  release(thread: WorkerHandle): void;
  /** Ends an acquired thread. Its replacement may start at once. */
  destroy(thread: WorkerHandle): Promise<void>;
}

/**
 * Starts threads and processes. A module runs in a thread if it computes or blocks, and in a process if it may also crash or
 * take too much memory. All of them end when the engine closes.
 */
export interface Workers {
  startThread(module: URL, options?: ThreadOptions): WorkerHandle;
  /**
   * Starts a module that communicates over `process.send` and `process.on('message')`. Its process ignores SIGINT,
   * SIGTERM and SIGHUP, and ends with this process.
   */
  startProcess(module: URL, options?: ProcessOptions): ProcessHandle;
  /** Returns the pool of a module. All plugins of an engine share it, with the options of the first call. */
  threadPool(module: URL, options: ThreadPoolOptions): ThreadPool;
}
