import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import type { DoctorCheck } from '../doctor/checks.js';
import { messageOf } from '../session/system-errors.js';
import type { AgentCommand } from './agents.js';
import { isObject } from './json-rpc.js';

const timeoutMs = 60_000;
const protocolVersion = '2025-11-25';

/** Runs the command as an agent does, and yields a check for each of its steps. Ends after the first failure. */
export async function* checkAgentCommand(
  { command, args, env }: AgentCommand,
  environment: NodeJS.ProcessEnv,
): AsyncGenerator<DoctorCheck> {
  const start = performance.now();
  const child = spawn(command, [...args], {
    env: { ...environment, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: timeoutMs,
  });
  const failed = new Promise<never>((_resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(new Error(`the command ended with ${signal ?? `code ${code}`}`)),
    );
  });
  failed.catch(() => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const send = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  const request = async (method: string, params: object): Promise<Record<string, unknown>> => {
    send({ id: (id += 1), method, params });
    const { value } = await Promise.race([lines.next(), failed]);
    const answer: unknown = JSON.parse(String(value));
    const { result, error } = isObject(answer) ? answer : {};
    if (isObject(result)) return result;
    throw new Error(isObject(error) ? String(error['message']) : 'the answer has no result');
  };
  let name = 'start';
  try {
    const clientInfo = { name: 'trove-doctor', version: '1' };
    const { serverInfo } = await request('initialize', {
      protocolVersion,
      capabilities: {},
      clientInfo,
    });
    const version = isObject(serverInfo) ? String(serverInfo['version']) : 'unknown';
    yield ok(name, `version ${version} answers after ${Math.round(performance.now() - start)} ms`);
    send({ method: 'notifications/initialized' });
    name = 'tools';
    const { tools } = await request('tools/list', {});
    const names = Array.isArray(tools)
      ? tools.map((tool) => (isObject(tool) ? tool['name'] : ''))
      : [];
    yield ok(name, names.join(', '));
    name = 'call';
    const called = performance.now();
    const { content, isError } = await request('tools/call', { name: 'status', arguments: {} });
    const [first]: unknown[] = Array.isArray(content) ? content : [];
    const text = isObject(first) ? String(first['text']) : '';
    if (isError === true) throw new Error(text);
    yield ok(name, `status answers in ${Math.round(performance.now() - called)} ms`);
    if (text === '')
      yield {
        name: 'sources',
        state: 'warning',
        detail: 'no source is registered, so an agent finds nothing',
        advice: 'Add a folder: trove add PATH',
      };
  } catch (error) {
    const advice = 'See the state of the server: trove doctor';
    yield { name, state: 'failed', detail: messageOf(error), advice };
  } finally {
    child.stdin.end();
    child.kill();
  }
}

function ok(name: string, detail: string): DoctorCheck {
  return { name, state: 'ok', detail };
}
