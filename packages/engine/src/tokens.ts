import { token } from '@trove/core/di';
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

/* Values that the services of an engine are made from. The token of a service is next to its class. */

export const SettingsToken = token<EngineSettings>('engine.settings');
/** Aborts when the engine closes. */
export const SignalToken = token<AbortSignal>('engine.signal');
/** Aborts when the engine begins to close. Calls then stop waiting for jobs. */
export const StoppingToken = token<AbortSignal>('engine.stopping');
/** Starts the threads and processes of the engine. */
export const WorkersToken = token<Workers>('engine.workers');
export const SecretsToken = token<KnownSecrets>('engine.secrets');
export const PluginRegistryToken = token<PluginRegistry>('engine.plugin_registry');
/** Limits concurrent searches. */
export const QueryGateToken = token<Gate>('engine.query_gate');
/** Limits concurrent greps. Each reads sources with several threads and holds its results. */
export const GrepGateToken = token<Gate>('engine.grep_gate');
export const EmbeddingToken = token<EmbeddingService>('engine.embedding');
/** Null: nothing is written about objects. */
export const WriterToken = token<LanguageModelService | null>('engine.writer');
/** Names the embedder and the chunker, on which the rows of all objects depend. */
export const RowVersionToken = token<string>('engine.row_version');
/** For the uploads of this store; null: uploads are not accepted. */
export const UploadFolderToken = token<string | null>('engine.upload_folder');
/** For the sources of this store; null: connectors keep nothing. */
export const SourceFolderToken = token<string | null>('engine.source_folder');
/** For tokens of these sources; null: they are kept in memory. */
export const CredentialFolderToken = token<string | null>('engine.credential_folder');
/** For converted documents; null: they are not cached in a folder. */
export const ArtifactFolderToken = token<string | null>('engine.artifact_folder');
export const ConversionsToken = token<ConversionService>('engine.conversions');
