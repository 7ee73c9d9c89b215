/** Formats that the server converts to Markdown. */
const converted =
  /^(text\/(markdown|html)|application\/(pdf|rtf|epub\+zip|xhtml\+xml|msword|vnd\.(openxmlformats|oasis|ms-)[\w.-]*))/;

/** Whether the text of an object is Markdown. */
export function isMarkdown(mediaType: string | null, path: string): boolean {
  if (mediaType !== null && converted.test(mediaType)) return true;
  return /\.(md|markdown|mdx)$/i.test(path);
}
