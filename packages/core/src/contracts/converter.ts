import type { Infer, JsonSchema } from '../schema.js';
import type { PluginBase, PluginContext } from './plugin.js';

/** Has no name: equal bytes are converted once, whatever they are called. */
export interface ConversionRequest {
  readonly bytes: Uint8Array;
  /** One of the plugin's; without parameters. */
  readonly mediaType: string;
  readonly signal: AbortSignal;
  /** Says that another page is done: for a converter in a process of its own, its time begins anew, up to an hour in all. */
  readonly progress?: () => void;
}

/** What people name when they say where in a document something is. */
export interface DocumentPart {
  /** Line of the Markdown at which it begins, 1-based; greater than that of the part before. */
  readonly line: number;
  readonly kind: 'page' | 'slide' | 'sheet';
  /** Its place in the document, 1-based: what a viewer is asked for. */
  readonly number: number;
  /** What the document itself calls it, such as the name of a sheet. */
  readonly name?: string;
}

export interface Conversion {
  /** Lines end with `\n`. Not blank: what has no text is a `document_empty`. */
  readonly markdown: string;
  readonly title?: string;
  /** In order. What precedes the first belongs to none. Parts without text may be left out. */
  readonly parts?: readonly DocumentPart[];
}

/**
 * Turns a document format into Markdown. What cannot be converted fails alone, with the sentence that is thrown:
 * `context.error(code, detail)` with `document_encrypted`, `document_damaged` or `document_empty` (nothing but scans or
 * pictures). Whoever computes in a process of its own has its time and memory limited; memory outside the heap, such as what a
 * compressed document grows to, it limits itself, with `document_too_complex`.
 */
export interface Converter {
  /**
   * Who converts, and a number that must change whenever the same bytes may yield different Markdown: `documents 3`. What
   * was converted with another is converted and indexed anew at the next sync.
   */
  readonly version: string;
  convert(request: ConversionRequest): Promise<Conversion>;
  close?(): Promise<void>;
}

/**
 * A converter plugin; its keys are media types. A document that the converter of `application/pdf` finds empty is given to
 * the one of `application/pdf;scanned`, if there is one, and so on for every type: the type in the request has no parameter.
 */
export interface ConverterPlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'converter',
  S
> {
  /**
   * For converters that compute locally instead of waiting: the module (`import.meta.url` of the one that
   * default-exports the plugin) to import in processes of its own, so that converting never blocks the event loop.
   */
  readonly workerModule?: string;
  /**
   * What one document, or each page that is reported as `progress`, may take, in milliseconds: 60,000 unless given, at
   * most an hour. Converters that may take more than others have processes of their own.
   */
  readonly timeoutMs?: number;
  create(context: PluginContext<Infer<S>>): Converter | Promise<Converter>;
}
