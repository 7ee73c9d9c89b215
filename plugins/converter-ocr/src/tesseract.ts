import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import startCore, {
  type TesseractApi,
  type TesseractCore,
} from 'tesseract.js-core/tesseract-core-simd-lstm.js';

import type { LanguageData } from './languages.js';
import { damaged } from './errors.js';

/** A picture in a format that Tesseract reads. */
export interface Picture {
  readonly bytes: Uint8Array;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** How it is to be turned, as EXIF numbers it; 1 is not at all. */
  readonly orientation: number;
  /** In dots per inch; null if the picture says it itself, or nobody does. */
  readonly resolution: number | null;
}

const unpack = promisify(gunzip);
const neuralNetwork = 1;
const input = '/input';
const silent = (): void => undefined;

/** Tesseract, in memory of its own. It computes in the thread that calls it. */
export class Tesseract {
  readonly #core: TesseractCore;
  readonly #api: TesseractApi;

  private constructor(core: TesseractCore, api: TesseractApi) {
    this.#core = core;
    this.#api = api;
  }

  static async start(languages: readonly LanguageData[]): Promise<Tesseract> {
    const core = await startCore({ print: silent, printErr: silent });
    for (const { name, file } of languages)
      core.FS.writeFile(`${name}.traineddata`, await unpack(await readFile(file)));
    const api = new core.TessBaseAPI();
    const names = languages.map(({ name }) => name).join('+');
    if (api.Init(null, names, neuralNetwork) !== 0)
      throw new Error(`Tesseract cannot be started for ${names}`);
    return new Tesseract(core, api);
  }

  /** The words that it sees, a line for each, as Tesseract's TSV. Throws `document_damaged`. */
  recognise({ bytes, orientation, resolution }: Picture): string {
    this.#core.FS.writeFile(input, bytes);
    try {
      if (this.#api.SetImageFile(orientation, 0) !== 0)
        throw damaged('is no picture that can be read');
      if (resolution !== null) this.#api.SetSourceResolution(resolution);
      this.#api.Recognize(null);
      return this.#api.GetTSVText(0);
    } finally {
      this.#api.Clear();
      this.#core.FS.unlink(input);
    }
  }
}
