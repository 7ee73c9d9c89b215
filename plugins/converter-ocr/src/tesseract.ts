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
  /** The rotation by its EXIF number. 1 means none. */
  readonly orientation: number;
  /** In dots per inch. Null if the picture contains it or it is unknown. */
  readonly resolution: number | null;
}

const unpack = promisify(gunzip);
const neuralNetwork = 1;
const input = '/input';
const silent = (): void => undefined;

/** Tesseract with its own memory. It computes in the calling thread. */
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

  /** Returns the recognized words as Tesseract's TSV, one line each. Throws `document_damaged`. */
  recognise({ bytes, orientation, resolution }: Picture): string {
    this.#core.FS.writeFile(input, bytes);
    try {
      if (this.#api.SetImageFile(orientation, 0) !== 0) throw damaged('is not a readable picture');
      if (resolution !== null) this.#api.SetSourceResolution(resolution);
      this.#api.Recognize(null);
      return this.#api.GetTSVText(0);
    } finally {
      this.#api.Clear();
      this.#core.FS.unlink(input);
    }
  }
}
