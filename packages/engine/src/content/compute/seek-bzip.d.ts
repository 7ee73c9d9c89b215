/** The part of the package that is used here: it has no types of its own. */
declare module 'seek-bzip' {
  interface Output {
    writeByte(byte: number): void;
  }
  const bunzip: { decode(input: Uint8Array, output: Output, isMultiStream: boolean): void };
  export default bunzip;
}
