// The parts of Tesseract that Trove uses. The package has no types of its own.
declare module 'tesseract.js-core/tesseract-core-simd-lstm.js' {
  export interface TesseractApi {
    /** 0 if it worked. */
    Init(path: null, languages: string, mode: number): number;
    /** 0 if the picture at `/input` could be read. */
    SetImageFile(orientation: number, radians: number): number;
    SetSourceResolution(dotsPerInch: number): void;
    Recognize(monitor: null): number;
    GetTSVText(page: number): string;
    Clear(): void;
  }
  export interface TesseractCore {
    readonly FS: {
      writeFile(path: string, bytes: Uint8Array): void;
      unlink(path: string): void;
    };
    readonly TessBaseAPI: new () => TesseractApi;
  }
  export default function start(options: {
    readonly print: () => void;
    readonly printErr: () => void;
  }): Promise<TesseractCore>;
}
