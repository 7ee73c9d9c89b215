import type { Connector, ConnectorPlugin, GrepCapabilities } from '@trove/core';

/** Which optional methods a connector has, and its declared capabilities. */
export interface EffectiveCapabilities {
  readonly incremental: boolean;
  readonly since: boolean;
  /** `list` can be limited to named paths. */
  readonly paths: boolean;
  readonly read: boolean;
  readonly records: boolean;
  /** `records` can return one thread without reading all records. */
  readonly threads: boolean;
  /** `records` reads less if only keys are requested. */
  readonly keysOnly: boolean;
  readonly tail: boolean;
  /** Null if the connector cannot search. */
  readonly grep: GrepCapabilities | null;
  readonly watch: boolean;
  readonly browse: boolean;
  readonly stat: boolean;
  /** Only a sync should list the source. */
  readonly costlyListing: boolean;
}

/** The capabilities of the connector itself replace those of its plugin. */
export function capabilitiesOf(
  connector: Connector,
  ofPlugin: ConnectorPlugin['capabilities'],
): EffectiveCapabilities {
  // A proxy that returns a value for every name does not count.
  const declared = ('capabilities' in connector ? connector.capabilities : undefined) ?? ofPlugin;
  return {
    incremental: hasMethod(connector, 'changes'),
    since: declared?.since === true,
    paths: declared?.paths === true && !hasMethod(connector, 'changes'),
    read: hasMethod(connector, 'read'),
    records: hasMethod(connector, 'records'),
    threads: declared?.threads === true,
    keysOnly: declared?.keysOnly === true,
    tail: declared?.stableOrder !== false,
    grep: hasMethod(connector, 'grep') ? (declared?.grep ?? {}) : null,
    watch: hasMethod(connector, 'watch'),
    browse: hasMethod(connector, 'browse'),
    stat: hasMethod(connector, 'stat'),
    costlyListing: declared?.costlyListing === true,
  };
}

/** Whether a method exists. A proxy that returns a value for every name does not count. */
export function hasMethod<M extends keyof Connector>(
  connector: Connector,
  method: M,
): connector is Connector & Required<Pick<Connector, M>> {
  return method in connector && typeof connector[method] === 'function';
}
