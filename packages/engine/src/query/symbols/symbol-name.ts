import { findDefinitionName } from '@trove/text/analyzer';

/** The name that a caller looks up. */
export interface SymbolName {
  readonly name: string;
  /** The class or module before the name: `Box` in `Box.open`; null if there is none. */
  readonly container: string | null;
}

const identifier =
  '[#@$~]?[\\p{L}_$][\\p{L}\\p{N}_$]*(?:(?:\\.|::|#|->)[~#]?[\\p{L}_$][\\p{L}\\p{N}_$]*){0,8}[?!]?';
const kinds =
  'functions?|func|fun|fn|def|defp|sub|proc|methods?|class(?:es)?|struct|interface|trait|type|typedef|enum|union|record|object|module|mod|namespace|' +
  'package|macro|define|constant|const|static|variable|var|let|val|field|property|symbol|constructor|decorator|protocol|impl|name|identifier';
const prefix = `(?:(?:the|a|an|my|our|this|${kinds})\\s+){0,4}`;
const verbs =
  'defined|declared|implemented|located|found|introduced|coming from|from|at|live|lives';
const quote = '[`"\'“”]?';

function pattern(source: string): RegExp {
  return new RegExp(source, 'iu');
}

/** Go: `func (r *Reader) Read(` */
const receiver = pattern(`^func\\s?\\([^()]{1,80}\\)\\s?(${identifier})`);
/** Forms of questions, each with the name as its first group. */
const questions = [
  pattern(
    `\\b(?:is|are|was|does|do|'s|get|gets)\\s+${prefix}${quote}(${identifier})(?:\\([^()]{0,80}\\))?${quote}\\s+(?:${verbs})\\b`,
  ),
  pattern(
    `\\b(?:definitions?|declarations?|implementations?|signature|source|location)\\s+(?:of|for)\\s+${prefix}${quote}(${identifier})`,
  ),
  pattern(`\\b(?:defines?|declares?|implements?)\\s+${prefix}${quote}(${identifier})`),
  pattern(
    `^${quote}(${identifier})(?:\\(\\))?${quote}\\s+(?:definition|declaration|implementation|${kinds})\\W*$`,
  ),
  pattern(
    `^(?:(?:export|async|public|private|static|pub|unsafe|abstract|go to|goto|find|show|where is|where's)\\s+){0,4}(?:${kinds})\\s+[*&]?${quote}(${identifier})`,
  ),
];
const single = pattern(
  `^${quote}(${identifier})\\s?(?:<[^<>]{0,80}>)?(?:\\(.{0,200}\\))?\\s?[{:;]?${quote}[?]?$`,
);

/** Extracts the name from a name, a signature or a question. Returns null if there is none. */
export function parseSymbolName(text: string): SymbolName | null {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  const found =
    receiver.exec(line)?.[1] ??
    single.exec(line)?.[1] ??
    firstMatch(line) ??
    findDefinitionName(line) ??
    new RegExp(`(${identifier})\\W*$`, 'u').exec(line)?.[1];
  if (found === undefined || found === '') return null;
  const parts = found.split(/\.|::|->|(?<=.)#/).filter((part) => part !== '');
  const name = (parts.at(-1) ?? found).replace(/^[#@~]/, '').replace(/[?!]$/, '');
  return { name, container: parts.at(-2) ?? null };
}

function firstMatch(line: string): string | undefined {
  for (const question of questions) {
    const [, name] = question.exec(line) ?? [];
    if (name !== undefined) return name;
  }
  return undefined;
}
