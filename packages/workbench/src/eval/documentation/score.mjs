/** Judges a response of `POST /query`: whether its passages contain the wanted text, and whether its answer quotes it. */
export function judge({ wanted }, { answer, retrieved_passages: passages }) {
  const quotes = [...answer.matchAll(/“([^”]*(?:”(?! \[)[^”]*)*)”/gu)].map(([, quote]) => quote);
  return {
    isRetrieved: passages.some(({ text }) => containsAny(text, wanted)),
    isQuoted: quotes.some((quote) => containsAny(quote, wanted)),
    isFirst: quotes.length > 0 && containsAny(quotes[0], wanted),
    quotes: quotes.length,
  };
}

/** Returns the shares of answers in percent, and the mean number of quotes. */
export function summarize(verdicts) {
  const share = (key) => (100 * verdicts.filter((each) => each[key]).length) / verdicts.length;
  const quotes = verdicts.reduce((sum, each) => sum + each.quotes, 0) / verdicts.length;
  return {
    questions: verdicts.length,
    retrieved: share('isRetrieved'),
    quoted: share('isQuoted'),
    first: share('isFirst'),
    quotes,
  };
}

function containsAny(text, wanted) {
  const plain = simplify(text);
  return wanted.some((each) => plain.includes(simplify(each)));
}

/** Removes the marks of Markdown and the targets of links, and folds case and white space. */
function simplify(text) {
  return text
    .replaceAll(/\]\([^()\s]*\)/gu, ']')
    .replaceAll(/[`*_[\]\\]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .toLowerCase();
}
