import { createToken } from '@trove/core/di';
import type { Workers } from '@trove/core/workers';
import type {
  ConversionService,
  EmbeddingService,
  Gate,
  KnownSecrets,
  LanguageModelService,
  PluginRegistry,
} from '@trove/runtime';
import type { EngineSettings } from './settings.js';

/* Values that services are made from. The token of a service is next to its class. */

export const SettingsToken = createToken<EngineSettings>('engine.settings');
/** Aborts when the engine closes. */
export const SignalToken = createToken<AbortSignal>('engine.signal');
/** Aborts when the engine begins to close. Calls then stop waiting for jobs. */
export const StoppingToken = createToken<AbortSignal>('engine.stopping');
/** Starts the threads and processes of the engine. */
export const WorkersToken = createToken<Workers>('engine.workers');
export const SecretsToken = createToken<KnownSecrets>('engine.secrets');
export const PluginRegistryToken = createToken<PluginRegistry>('engine.plugin_registry');
/** Limits concurrent searches. */
export const QueryGateToken = createToken<Gate>('engine.query_gate');
/** Limits concurrent greps. Each reads sources with several threads and holds its results. */
export const GrepGateToken = createToken<Gate>('engine.grep_gate');
export const EmbeddingToken = createToken<EmbeddingService>('engine.embedding');
/** Writes summaries and descriptions of objects. Null: none are written. */
export const WriterToken = createToken<LanguageModelService | null>('engine.writer');
/** Opens the configured language model on first use. */
export const LanguageModelToken =
  createToken<() => Promise<LanguageModelService>>('engine.language_model');
/** Names the embedder and the chunker, on which the rows of all objects depend. */
export const RowVersionToken = createToken<string>('engine.row_version');
/** The folder of this store's uploads. Null: uploads are not accepted. */
export const UploadFolderToken = createToken<string | null>('engine.upload_folder');
/** The folder for files of this store's connectors. Null: connectors keep nothing. */
export const SourceFolderToken = createToken<string | null>('engine.source_folder');
/** The folder for refreshed tokens of this store's sources. Null: they are kept in memory. */
export const CredentialFolderToken = createToken<string | null>('engine.credential_folder');
/** The folder for converted documents. Null: they are not cached in a folder. */
export const TaskFolderToken = createToken<string | null>('engine.task_folder');

export const ArtifactFolderToken = createToken<string | null>('engine.artifact_folder');
export const ConversionsToken = createToken<ConversionService>('engine.conversions');
