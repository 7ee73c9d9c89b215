/** Parsers for the text of a value. */
export const valueParsers = {
  text: (text: string): string => text,

  /** Returns the text if the integer is not safe. */
  integer: (text: string): number | string => {
    const number = Number(text);
    return Number.isSafeInteger(number) ? number : text;
  },

  /** Returns the text if it is not valid JSON. */
  json: (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  },
};
