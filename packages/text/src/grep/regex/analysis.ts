import type { RegexNode } from './syntax.js';

/**
 * Returns an expression that matches the same lines faster. Reduces repetitions at either end to their minimum, because
 * a shorter match exists as well. `\w+ing` then does not start at every letter of a long word.
 */
export function trimEdges(syntax: RegexNode): RegexNode {
  return trimEdge(trimEdge(syntax, 'start'), 'end');
}

function trimEdge(syntax: RegexNode, edge: 'start' | 'end'): RegexNode {
  switch (syntax.kind) {
    case 'repetition':
      return { ...syntax, max: syntax.min };
    case 'choice':
      return { ...syntax, parts: syntax.parts.map((part) => trimEdge(part, edge)) };
    case 'sequence': {
      const parts = [...syntax.parts];
      const isEmpty = (part: RegexNode | undefined): boolean =>
        part?.kind === 'repetition' && part.min === 0;
      while (isEmpty(edge === 'start' ? parts[0] : parts.at(-1))) {
        if (edge === 'start') parts.shift();
        else parts.pop();
      }
      const at = edge === 'start' ? 0 : parts.length - 1;
      const part = parts[at];
      if (part !== undefined) parts[at] = trimEdge(part, edge);
      return { ...syntax, parts };
    }
    case 'characters':
    case 'assertion':
    case 'look':
      return syntax;
  }
}

/** Returns the longest text that every match contains. '' for none. */
export function requiredText(syntax: RegexNode): string {
  let longest = '';
  let run = '';
  const visit = (part: RegexNode): void => {
    if (part.kind === 'characters' && part.literal !== null && part.folding === 'none') {
      run += part.literal;
      if (run.length > longest.length) longest = run;
    } else if (part.kind === 'sequence') part.parts.forEach(visit);
    else if (part.kind !== 'assertion' && part.kind !== 'look') {
      run = '';
      if (part.kind === 'repetition' && part.min > 0) visit(part.part);
      run = '';
    }
  };
  visit(syntax);
  return longest;
}

/** Returns the length of the shortest match in characters. */
export function minLengthOf(syntax: RegexNode): number {
  switch (syntax.kind) {
    case 'characters':
      return 1;
    case 'assertion':
    case 'look':
      return 0;
    case 'sequence':
      return syntax.parts.reduce((sum, part) => sum + minLengthOf(part), 0);
    case 'choice':
      return Math.min(...syntax.parts.map(minLengthOf));
    case 'repetition':
      return syntax.min * minLengthOf(syntax.part);
  }
}
