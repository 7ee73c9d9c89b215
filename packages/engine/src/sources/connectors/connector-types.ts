import { inject, injectable, createToken } from '@trove/core/di';
import type { SetupQuestion, SourceSetup } from '@trove/core';
import type { PluginRegistry } from '@trove/runtime';
import type { ConnectorType, ConnectorTypeQuery } from '../../api/schemas.js';
import { PluginRegistryToken } from '../../tokens.js';

/** The token of `ConnectorTypes` in an engine's container. */
export const ConnectorTypesToken = createToken<ConnectorTypes>('engine.connector_types');

/** Describes the settings of the installed connectors, for forms. */
@injectable()
export class ConnectorTypes {
  readonly #registry: PluginRegistry;

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
