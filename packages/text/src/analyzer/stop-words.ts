/** Returns the words of a text as a set. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).filter((word) => word !== ''));
}

/** English words that are too common to index or query. */
export const stopWords: ReadonlySet<string> = wordSet(`
  a an and are as at be but by for if in into is it no not of on or such that the their then there
  these they this to was will with
`);

/**
 * Words that only phrase a question. Queries drop them. Verbs such as get, find and show stay, because they are
 * frequent in code.
 */
export const questionWords: ReadonlySet<string> = wordSet(`
  how what which who whom whose when where why
  do does did doing done am were been being has have had having
  can could may might must shall should would ought
  i me my mine we us our ours you your yours he him his she her hers its them theirs
  those from about than so some any all both each other another same also only very too just
  there's here please tell explain know want need
  between among during before after above below under over out up down off again further once
  because until while through against
`);
