import type { SourceReader } from './sources/source-reader.js';

export interface GraphOptions {
  /** The graph that the empty name means. Default: `default`. */
  readonly defaultGraph?: string;
  /** Maximum number of tokens that a build spends on the language model. Default: 1,000,000. */
  readonly maxTokensPerBuild?: number;
  /** Reads local paths and registered sources for imports. Default: only URLs can be imported. */
  readonly reader?: SourceReader;
  /** Hosts with private addresses whose pages may be imported, as in URLs. */
  readonly privateHosts?: readonly string[];
  /** Per document. Default: 64 MiB. */
  readonly maxDocumentBytes?: number;
  /** Time limit for loading one document, in milliseconds. Default: 600,000. */
  readonly maxDocumentMs?: number;
  /** Approximate limit for the graphs in memory. A larger graph is loaded alone. Default: 1 GiB. */
  readonly maxMemoryBytes?: number;
  /** Distinguishes machines that share a metadata store. Default: the host name. */
  readonly machineId?: string;
  /** The configuration that `settings` returns. */
  readonly publicSettings: PublicGraphSettings;
}

/** The public part of the configuration, without secrets. */
export interface PublicGraphSettings {
  readonly llmProvider: string;
  /** Null for the provider's default. */
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
