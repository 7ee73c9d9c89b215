import { DefinedNames, type ChunkNames } from './defined-names.js';
import { formatOf, type ClassifiedText } from './format.js';
import { Lines } from './lines.js';
import { readStructure } from './read-structure.js';

export interface ChunkDefinitions extends ChunkNames {
  /** The first definition begins on the first line that is not blank, with its comments. */
  readonly beginsWithDefinition: boolean;
}

/** Finds the definitions in the content of a chunk. */
export function definitionsOf(chunk: ClassifiedText): ChunkDefinitions {
  const format = formatOf(chunk);
  const lines = new Lines(chunk.text);
  const structure = readStructure(lines, format);
  const found = new DefinedNames(structure, chunk, format).within(0, lines.count - 1);
  let start = 0;
  while (start < lines.count && lines.isBlank(start)) start++;
  const first = structure.marks.find(({ label }) => label !== null);
  const atStart = first === undefined ? null : namesAt(structure, chunk, first.headingLine);
  const beginsWithDefinition = first?.line === start && atStart !== null && atStart !== '';
  return { ...found, beginsWithDefinition };
}

/** Returns the name that a line defines, or an empty text. */
function namesAt(
  structure: ConstructorParameters<typeof DefinedNames>[0],
  chunk: ClassifiedText,
  line: number,
): string {
  return new DefinedNames(structure, chunk, formatOf(chunk)).within(line, line).names;
}
