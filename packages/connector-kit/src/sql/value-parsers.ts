/** Read the text of a value. */
export const valueParsers = {
  same: (text: string): string => text,

  /** Returns integers that a number cannot hold as a text. */
  integer: (text: string): number | string => {
    const number = Number(text);
    return Number.isSafeInteger(number) ? number : text;
  },

  /** Returns invalid JSON as a text. */
  json: (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  },
};
