import type { Infer, JsonSchema } from '../schema.js';
import type { PluginBase, PluginContext } from './plugin.js';

/** A document to convert. It has no name, because equal bytes are converted only once. */
export interface ConversionRequest {
  readonly bytes: Uint8Array;
  /** One of the plugin's media types, without parameters. */
  readonly mediaType: string;
  readonly signal: AbortSignal;
  /**
   * Reports a finished page. For a converter in its own process, this restarts the time limit, up to an hour in total.
   */
  readonly progress?: () => void;
}

/** A page, slide or sheet of a document. */
export interface DocumentPart {
  /** The first line in the Markdown, counted from 1. Later parts begin on later lines. */
  readonly line: number;
  readonly kind: 'page' | 'slide' | 'sheet';
  /** Its number in the document, from 1, as viewers use it. */
  readonly number: number;
  /** Its name in the document, such as the name of a sheet. */
  readonly name?: string;
}

export interface Conversion {
  /** Lines end with `\n`. Never blank: throw `document_empty` for a document without text. */
  readonly markdown: string;
  readonly title?: string;
  /** In order. Text before the first part belongs to none. Parts without text may be missing. */
  readonly parts?: readonly DocumentPart[];
}

/**
 * Converts a document format to Markdown. If a document cannot be converted, it fails alone, with a thrown
 * `context.error(code, detail)`: `document_encrypted`, `document_damaged` or `document_empty` (only scans or pictures).
 * Trove limits the time and heap of a converter in its own process. Memory outside the heap, such as a decompressed
 * document, the converter limits itself, with `document_too_complex`.
 */
export interface Converter {
  /**
   * The name of the converter and a number, such as `documents 3`. Change it whenever the same bytes may yield
   * different Markdown. The next sync then converts and indexes the documents again.
   */
  readonly version: string;
  convert(request: ConversionRequest): Promise<Conversion>;
  close?(): Promise<void>;
}

/**
 * A converter plugin. Its keys are media types. If the converter of `application/pdf` throws `document_empty`, the
 * converter of `application/pdf;scanned` gets the document, if there is one. The same holds for every other type. The
 * media type in the request has no parameter.
 */
export interface ConverterPlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'converter',
  S
> {
  /**
   * For converters that compute locally: the module to import in separate processes, so conversion never blocks the
   * event loop. Pass the `import.meta.url` of the module that default-exports the plugin.
   */
  readonly workerModule?: string;
  /**
   * Maximum time for a document, or for each page reported with `progress`, in milliseconds. Default 60,000; at most an
   * hour. Converters with a higher limit get their own processes.
   */
  readonly timeoutMs?: number;
  create(context: PluginContext<Infer<S>>): Converter | Promise<Converter>;
}
