import type { JSX } from 'preact';
import { base } from '../address.js';
import { CopiedCommand } from '../parts/copied-command.js';
import { EditorChoice } from '../parts/editor-link.js';
import { commandOf, curlOf, toolCallOf } from './commands.js';
import { requestOf, type SearchChoice } from './search-request.js';

/** The search as calls of other programs. */
export function Elsewhere({ choice }: { readonly choice: SearchChoice }): JSX.Element {
  const request = requestOf(choice);
  return (
    <details class="elsewhere">
      <summary>Run this search elsewhere</summary>
      <CopiedCommand label="Command line" text={commandOf(request)} />
      <CopiedCommand label="HTTP" text={curlOf(base, request)} />
      <CopiedCommand label="MCP tool" text={toolCallOf(request)} />
      <EditorChoice />
    </details>
  );
}
