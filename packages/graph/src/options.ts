import type { SourceReader } from './sources/source-reader.js';

export interface GraphOptions {
  /** The graph that the empty name means; default `default`. */
  readonly defaultGraph?: string;
  /** What a build may spend on the language model, in tokens; default 1,000,000. */
  readonly maxTokensPerBuild?: number;
  /** What can be imported besides URLs; default: nothing. */
  readonly reader?: SourceReader;
  /** Hosts whose pages may be imported although their addresses are private, as URLs have them. */
  readonly privateHosts?: readonly string[];
  /** Of one document; default 64 MiB. */
  readonly maxDocumentBytes?: number;
  /** How long loading one document may take, in milliseconds; default 600,000. */
  readonly maxDocumentMs?: number;
  /** Of the graphs in memory, roughly; a larger graph is there alone. Default 1 GiB. */
  readonly maxMemoryBytes?: number;
  /** Tells machines apart that share a metadata store; default: by their host names. */
  readonly machineId?: string;
  /** What `settings` says of the configuration. */
  readonly publicSettings: PublicGraphSettings;
}

/** The configuration as far as it is told; no secrets. */
export interface PublicGraphSettings {
  readonly llmProvider: string;
  /** Null: the one that its provider takes. */
  readonly llmModel: string | null;
  readonly llmKeySet: boolean;
  readonly llmBaseUrl: string;
  readonly embeddingProvider: string;
  readonly embeddingModel: string | null;
  readonly embeddingKeySet: boolean;
  readonly embeddingBaseUrl: string | null;
  /** Without credentials. */
  readonly indexUri: string;
}
