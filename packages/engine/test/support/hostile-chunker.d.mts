declare const chunker: object;
export default chunker;
export const names: readonly string[];
