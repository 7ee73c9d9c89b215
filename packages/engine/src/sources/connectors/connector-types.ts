import { inject, injectable, createToken } from '@trove/core/di';
import type { SetupQuestion, SourceSetup } from '@trove/core';
import {
  listSourceKinds,
  recogniseAddress,
  type ListedSourceKind,
  type PluginRegistry,
  type RecognisedSource,
} from '@trove/runtime';
import type {
  ConnectorType,
  ConnectorTypeQuery,
  SourceKinds,
  SourceKindsRequest,
} from '../../api/schemas.js';
import { PluginRegistryToken } from '../../tokens.js';

/** The token of `ConnectorTypes` in an engine's container. */
export const ConnectorTypesToken = createToken<ConnectorTypes>('engine.connector_types');

/** Describes the installed connectors and their settings, for forms. */
@injectable()
export class ConnectorTypes {
  readonly #registry: PluginRegistry;
  #kinds: readonly ListedSourceKind[] | null = null;

  constructor(@inject(PluginRegistryToken) registry: PluginRegistry) {
    this.#registry = registry;
  }

  async describe({ scheme }: ConnectorTypeQuery): Promise<ConnectorType> {
    const { configSchema, setup } = await this.#registry.get('connector', scheme);
    return {
      type: scheme,
      config_schema: { ...configSchema },
      address: setup?.address.ask ?? null,
      questions: questionsOf(setup),
    };
  }

  async listKinds({ address }: SourceKindsRequest): Promise<SourceKinds> {
    this.#kinds ??= await listSourceKinds(this.#registry);
    const kinds = this.#kinds;
    const meant = address === undefined ? [] : recogniseAddress(kinds, address);
    const recognised = await Promise.all(
      meant.map((source) => this.#resolve(source, address ?? '')),
    );
    return {
      kinds: kinds.map(({ schemes, name, content = null, rights = null }) => ({
        schemes: [...schemes],
        name,
        content,
        rights,
      })),
      recognised: recognised.filter((source) => source !== null),
    };
  }

  /** Lets the connector read the address if its kind does not. Null: it cannot. */
  async #resolve(
    { kind, scheme, target, config }: RecognisedSource,
    text: string,
  ): Promise<SourceKinds['recognised'][number] | null> {
    const source = { name: kind.name, scheme, config: { ...config } };
    if (target !== null) return { ...source, target };
    const connector = await this.#registry.get('connector', scheme).catch(() => null);
    const read = connector?.setup?.address.read(text) ?? '';
    if (typeof read === 'string') return null;
    return {
      ...source,
      target: `${scheme}://${read.address}`,
      config: { ...config, ...read.config },
    };
  }
}

/** Returns the questions of all choices, each setting once. */
function questionsOf(setup: SourceSetup | undefined): ConnectorType['questions'] {
  const all = (setup?.questions ?? []).flatMap((item) =>
    'choices' in item ? item.choices.flatMap(({ questions }) => questions) : [item],
  );
  const bySetting = new Map<string, SetupQuestion>();
  for (const question of all) {
    if (!bySetting.has(question.setting)) bySetting.set(question.setting, question);
  }
  return [...bySetting.values()].map(({ setting, ask, help = null }) => ({ setting, ask, help }));
}
