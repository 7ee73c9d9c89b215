import { TroveError, type ErrorCode } from '@trove/core';

/** An error of a tool itself. Its suggestions already name tools and their arguments. */
export class ToolError extends TroveError {
  constructor(code: ErrorCode, detail: string, suggestions: readonly string[], cause?: unknown) {
    super(code, detail, { suggestions, ...(cause === undefined ? {} : { cause }) });
  }
}
