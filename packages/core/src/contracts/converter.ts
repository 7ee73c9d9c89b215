import type { Infer, JsonSchema } from '../schema.js';
import type { PluginBase, PluginContext } from './plugin.js';

export interface ConversionRequest {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** Path of the object below its root, for messages. */
  readonly path: string;
  readonly signal: AbortSignal;
}

export interface Conversion {
  readonly markdown: string;
  readonly title?: string;
}

/** Turns a document format into Markdown. Throws for a damaged document; only that object fails. */
export interface Converter {
  /** Must change whenever the same bytes may yield different Markdown; part of the cache key. */
  readonly version: string;
  convert(request: ConversionRequest): Promise<Conversion>;
  close?(): Promise<void>;
}

/** A converter plugin; its keys are media types. */
export interface ConverterPlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'converter',
  S
> {
  readonly mediaTypes: readonly string[];
  /**
   * For converters that compute locally instead of waiting: the module (`import.meta.url` of the one that
   * default-exports the plugin) to import in worker threads, so that converting never blocks the event loop.
   */
  readonly workerModule?: string;
  create(context: PluginContext<Infer<S>>): Converter | Promise<Converter>;
}
