import {
  declarationAt,
  declaredName,
  functionNameInC,
  isC,
  isCVariable,
  withoutTemplate,
} from './c-definitions.js';
import { columnOf, DefinitionEnds } from './definition-extent.js';
import { DefinitionNames } from './defined-names.js';
import type { ClassifiedText, TextFormat } from './format.js';
import { Lines } from './lines.js';
import { definitionAt, minorDefinitionAt, quotedLines } from './outline-definitions.js';
import { readStructure } from './read-structure.js';
import { signatureAt } from './signature.js';
import { rank, type SectionMark } from './structure.js';

/** A heading or definition with the lines that belong to it. Lines are numbered from 0. */
export interface TextDefinition {
  /** The line of the heading or the first line of the signature. */
  readonly line: number;
  /** The first of the comments and decorators directly above, or `line`. */
  readonly start: number;
  /** The last line of the signature. */
  readonly last: number;
  /** The last line of the section or body. */
  readonly end: number;
  /** The heading or signature on one line, with its indentation. */
  readonly text: string;
  readonly name: string | null;
  /** 1 for the outermost. */
  readonly level: number;
}

const maxCallbackChars = 500;
/** SQL statements with a signature. The columns of a table are its body. */
const routine =
  /^\s*(?:create|alter)\s(?:\s*or\s+replace\s)?\s*(?:function|procedure|view|index|unique|trigger)\b/i;

/** Returns the headings or definitions of a text in order. `includesLocal`: also local ones in functions and callbacks. */
export function definitionsOf(
  source: ClassifiedText,
  format: TextFormat,
  { includesLocal = false } = {},
): TextDefinition[] {
  const lines = new Lines(source.text);
  const { marks } = readStructure(lines, format);
  return format === 'code'
    ? inCode(lines, marks, source, includesLocal)
    : sections(lines, marks, source, format);
}

/** Sections end before the next mark of their level. */
function sections(
  lines: Lines,
  marks: readonly SectionMark[],
  source: ClassifiedText,
  format: TextFormat,
): TextDefinition[] {
  // In Markdown, a level below all headings is the head of a table.
  const deepest = format === 'markdown' ? rank.deepest : Infinity;
  const names = new DefinitionNames(lines, source, format);
  const ends = sectionEnds(lines, marks);
  return marks.flatMap(({ label, level, line: start, headingLine: line }, at): TextDefinition[] => {
    if (label === null || level > deepest) return [];
    const text = lines.slice(line).trimEnd();
    const signature = format === 'sql' && routine.test(text) ? signatureAt(lines, line) : null;
    return [
      {
        line,
        start,
        last: signature?.last ?? line,
        end: Math.max(signature?.last ?? line, ends[at] ?? line),
        text: signature?.text ?? text,
        name: names.hasNames ? names.ofSignature(line, label) : label,
        level: names.hasNames ? 1 : level,
      },
    ];
  });
}

/** Returns the last non-blank line of each mark's section, in one pass from the end. */
function sectionEnds(lines: Lines, marks: readonly SectionMark[]): number[] {
  const ends: number[] = [];
  const later: { readonly level: number; readonly line: number }[] = [];
  for (const [at, { level, line, headingLine }] of [...marks.entries()].reverse()) {
    while ((later.at(-1)?.level ?? -1) > level) later.pop();
    let end = (later.at(-1)?.line ?? lines.count) - 1;
    while (end > headingLine && lines.isBlank(end)) end--;
    ends[at] = end;
    later.push({ level, line });
  }
  return ends;
}

function inCode(
  lines: Lines,
  marks: readonly SectionMark[],
  source: ClassifiedText,
  includesLocal: boolean,
): TextDefinition[] {
  const marked = new Map(
    marks.filter(({ label }) => label !== null).map((mark) => [mark.headingLine, mark]),
  );
  const quoted = quotedLines(lines);
  const ends = new DefinitionEnds(lines, quoted);
  const names = new DefinitionNames(lines, source, 'code');
  const found: TextDefinition[] = [];
  const open: TextDefinition[] = [];
  const hasDeclarations = isC(source);
  let callbackEnd = -1;
  for (let line = 0; line < lines.count; line++) {
    if (quoted.has(line) || names.isUse(line)) continue;
    if (line > callbackEnd && startsCallback(lines, line))
      callbackEnd = ends.endOf({ first: line, last: line });
    if (line <= callbackEnd && !includesLocal) continue;
    const mark = marked.get(line);
    const read = mark === undefined ? minorDefinitionAt : definitionAt;
    const declaration = hasDeclarations ? declarationAt(lines, line, source) : null;
    const signature = declaration ?? read(lines, line, source);
    if (signature === null) continue;
    const { last, text } = signature;
    const trimmed = text.trim();
    if ((hasDeclarations && isCVariable(trimmed)) || declarationGroup.test(trimmed)) continue;
    while ((open.at(-1)?.end ?? Infinity) < line) open.pop();
    const end = ends.endOf({ first: line, last });
    const name =
      declaration === null
        ? ((hasDeclarations ? functionNameInC(trimmed) : null) ??
          names.ofSignature(line, withoutTemplate(trimmed)))
        : declaredName(trimmed, lines.slice(end));
    const definition: TextDefinition = {
      line,
      start: mark?.line ?? attachedStart(lines, line),
      last,
      end,
      text,
      name,
      level: open.length + 1,
    };
    if (!includesLocal && isLocalVariable(definition, open.at(-1))) continue;
    found.push(definition);
    open.push(definition);
    line = last;
  }
  return found;
}

/** `test('adds', () => {`, `hooks.before(async () => {` at the left margin. Modules of AMD contain all their code. */
const callback =
  /^(?!define\b|require\b)[A-Za-z_$][\w$.]{0,80}\((?:['"`].{0,300})?(?:async )?(?:\([^()]{0,200}\) =>|[\w$]{1,40} =>|function ?\w{0,40} ?\([^()]{0,200}\)) \{$/;

/** Whether a line passes a function without a name to a call, as tests do. */
function startsCallback(lines: Lines, line: number): boolean {
  const start = lines.start(line);
  return callback.test(
    lines.text.slice(start, Math.min(lines.end(line), start + maxCallbackChars)),
  );
}

/** Go: a group of variables. */
const declarationGroup = /^(?:var|const|import|type) ?\(/;
const assignment = /^\s*(?:[\w$.]{1,80}\s?=(?!=)|(?:const|let|var)\s)/;
const type = /\b(?:class|interface|struct|object|trait|enum|record|extension|impl)\b/;

/** Whether a function is assigned inside another one. Members of a class are no local variables. */
function isLocalVariable({ text }: TextDefinition, parent: TextDefinition | undefined): boolean {
  return parent !== undefined && assignment.test(text) && !type.test(parent.text);
}

const attached = /^(?:\/\/|\/\*|\*|#(?!\s*(?:if|include|define|else|end)|!)|@|--|\[\w)/;

/** Returns the first of the comments and decorators directly above a line with the same indentation. */
function attachedStart(lines: Lines, line: number): number {
  let start = line;
  while (start > 0 && isAttached(lines, start - 1, columnOf(lines, line))) start--;
  return start;
}

function isAttached(lines: Lines, line: number, column: number): boolean {
  if (columnOf(lines, line) < column || lines.isBlank(line)) return false;
  const start = lines.contentStart(line);
  return attached.test(lines.text.slice(start, Math.min(lines.end(line), start + 10)));
}
