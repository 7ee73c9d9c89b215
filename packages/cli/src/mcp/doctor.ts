import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

import type { DoctorCheck } from '../doctor/checks.js';
import { messageOf } from '../session/system-errors.js';
import type { AgentCommand } from './agents.js';
import { isObject } from './json-rpc.js';

const timeoutMs = 60_000;
const protocolVersion = '2025-11-25';

type CheckResult = Omit<DoctorCheck, 'name'>;

const steps = { start: greet, tools: listTools, call: callStatus };

/** Runs the command as an agent does, and yields a check for each of its steps. Ends after the first failure. */
export async function* checkAgentCommand(
  command: AgentCommand,
  environment: NodeJS.ProcessEnv,
): AsyncGenerator<DoctorCheck> {
  const session = new AgentSession(command, environment);
  try {
    for (const [name, check] of Object.entries(steps)) {
      const result = await check(session).catch(toFailure);
      yield { name, ...result };
      if (result.state === 'failed') return;
    }
  } finally {
    session.close();
  }
}

function toFailure(error: unknown): CheckResult {
  const advice = 'See the state of the server: trove doctor';
  return { state: 'failed', detail: messageOf(error), advice };
}

async function greet(session: AgentSession): Promise<CheckResult> {
  const start = performance.now();
  const clientInfo = { name: 'trove-doctor', version: '1' };
  const greeting = { protocolVersion, capabilities: {}, clientInfo };
  const { serverInfo } = await session.request('initialize', greeting);
  session.notify('notifications/initialized');
  const version = isObject(serverInfo) ? String(serverInfo['version']) : 'unknown';
  return { state: 'ok', detail: `version ${version} answers after ${msSince(start)} ms` };
}

async function listTools(session: AgentSession): Promise<CheckResult> {
  const { tools } = await session.request('tools/list', {});
  const names = Array.isArray(tools) ? tools.filter(isObject).map(({ name }) => name) : [];
  return { state: 'ok', detail: names.join(', ') };
}

async function callStatus(session: AgentSession): Promise<CheckResult> {
  const start = performance.now();
  const params = { name: 'status', arguments: {} };
  const { content, isError } = await session.request('tools/call', params);
  const [first]: unknown[] = Array.isArray(content) ? content : [];
  const text = isObject(first) ? String(first['text']) : '';
  if (isError === true) throw new Error(text);
  const detail = `status answers in ${msSince(start)} ms`;
  if (text !== '') return { state: 'ok', detail };
  return {
    state: 'warning',
    detail: `${detail}, but no source is registered, so an agent finds nothing`,
    advice: 'Add a folder: trove add PATH',
  };
}

function msSince(start: number): number {
  return Math.round(performance.now() - start);
}

/** A process that serves an agent, with one request at a time. */
class AgentSession {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  /** Rejects when the process ends. */
  readonly #ended: Promise<never>;
  #lastId = 0;

  constructor({ command, args, env }: AgentCommand, environment: NodeJS.ProcessEnv) {
    this.#child = spawn(command, [...args], {
      env: { ...environment, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
      timeout: timeoutMs,
    });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    this.#ended = new Promise<never>((_resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('exit', (code, signal) =>
        reject(new Error(`the command ended with ${signal ?? `code ${code}`}`)),
      );
    });
    // Between two requests, nothing waits for it.
    this.#ended.catch(() => undefined);
  }

  /** Returns the result of a request. Throws for an error, and if the process ends. */
  async request(method: string, params: object): Promise<Readonly<Record<string, unknown>>> {
    this.#lastId += 1;
    this.#send({ id: this.#lastId, method, params });
    const { value } = await Promise.race([this.#lines.next(), this.#ended]);
    const answer: unknown = JSON.parse(String(value));
    const { result, error } = isObject(answer) ? answer : {};
    if (isObject(result)) return result;
    throw new Error(isObject(error) ? String(error['message']) : 'the answer has no result');
  }

  notify(method: string): void {
    this.#send({ method });
  }

  close(): void {
    this.#child.stdin.end();
    this.#child.kill();
  }

  #send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}
