import { waitUntil } from '@trove/test-support/waiting.js';
import { routes } from '../../src/routes/table.js';
import { openApiDocument } from '@trove/operations';
import type { Host } from '../../src/host.js';
import { record } from './document.js';
import { DocumentSchemas } from './schemas.js';
import { call, type Answer } from './server.js';

/** Calls operations by id, validates each response against the document, and records the outcomes. */
export class Caller {
  /** `operation code`, with `ok` for a success. */
  readonly seen = new Set<string>();
  readonly #schemas = new DocumentSchemas(
    record(JSON.parse(JSON.stringify(openApiDocument(routes, '1')))),
  );

  async call(
    host: Host,
    operationId: string,
    { params = {}, query = {}, body, type }: CallInput = {},
  ): Promise<Answer & { readonly data: Record<string, unknown> }> {
    const route = routes.find((candidate) => candidate.name === operationId);
    if (route === undefined) throw new Error(`no operation ${operationId}`);
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? ''),
    );
    const texts = Object.entries(query).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const search = new URLSearchParams(texts).toString();
    const answer = await call(host, search === '' ? path : `${path}?${search}`, {
      method: route.method,
      ...(body === undefined ? {} : { body }),
      ...(type === undefined ? {} : { headers: { 'content-type': type } }),
    });
    const problems = this.#schemas.problems(operationId, answer.status, answer.body);
    if (problems !== '')
      throw new Error(`${problems}: ${JSON.stringify(answer.body).slice(0, 500)}`);
    const { body: given } = answer;
    const data: Record<string, unknown> = Array.isArray(given)
      ? { items: given }
      : typeof given === 'string'
        ? { text: given }
        : { ...record(given) };
    this.seen.add(
      `${operationId} ${answer.status < 300 ? 'ok' : answer.headers.get('x-error-code')}`,
    );
    return { ...answer, data };
  }

  /** Repeats an operation until it returns the given code. Undefined means success. */
  async until(host: Host, operationId: string, code: string | undefined): Promise<void> {
    const answers = async () => (await this.call(host, operationId)).data['code'] === code;
    await waitUntil(answers, `${operationId} answers ${code ?? 'well'}`);
  }
}

export interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  /** Media type of a body that is not JSON. */
  readonly type?: string;
}
