import { inject, injectable, createToken } from '@trove/core/di';
import type { Infer } from '@trove/core';
import type { ConnectorRecord } from '@trove/core/store';
import { Gate } from '@trove/runtime';
import type { ExplainResponse, explainRequestSchema } from '../../api/schemas.js';
import { ConnectorsToken, type Connectors } from '../../sources/connectors/connectors.js';
import { storedStateOf } from '../../sources/connectors/stored-state.js';
import { digest } from '../../sources/ids.js';
import { withTemporaryConnector } from './temporary-connector.js';

/** Each explanation opens its own connector, with a thread or a connection. */
const maxExplanations = 8;

/** The token of `ExplainService` in an engine's container. */
export const ExplainToken = createToken<ExplainService>('engine.explain');

/** Explains the next sync of a source, registered or not, without running it. */
@injectable()
export class ExplainService {
  readonly #explanations = new Gate(maxExplanations);
  readonly #connectors: Connectors;

  constructor(@inject(ConnectorsToken) connectors: Connectors) {
    this.#connectors = connectors;
  }

  async explain(
    request: Infer<typeof explainRequestSchema>,
    signal: AbortSignal,
  ): Promise<ExplainResponse> {
    const explain = () =>
      withTemporaryConnector(
        this.#connectors,
        request,
        async ({ target, connector, registered }) => {
          const cursor = request.full ? undefined : cursorOf(registered, request.config);
          const { incremental, requests } = await connector.explain({ cursor, signal });
          return {
            target: target.rootUri,
            type: target.scheme,
            incremental,
            requests: requests.map(({ name, request: text, body, repeats, paged }) => ({
              name,
              request: text,
              body: body ?? null,
              repeats: repeats ?? null,
              paged: paged === true,
            })),
          };
        },
      );
    return this.#explanations.run(signal, explain);
  }
}

/** A sync with another configuration starts over. */
function cursorOf(registered: ConnectorRecord | null, config: ConnectorRecord['config']): unknown {
  if (registered === null) return undefined;
  if (config !== null && digest(config) !== digest(registered.config)) return undefined;
  return storedStateOf(registered.state).cursor;
}
