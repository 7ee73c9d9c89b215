import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { chunkText } from '../src/chunking/index.js';

const test = suite('names of definitions');

/** Of each chunk. */
function namesIn(text: string, path: string): string[] {
  const input = {
    text,
    kind: 'code',
    mediaType: null,
    path,
    maxChars: 260,
    maxChunks: 100,
  } as const;
  return chunkText(input).chunks.map(({ names }) => names);
}

test('a chunk of code names what it defines, and nothing that it only uses or that begins in another', () => {
  const body = '  total += call(total);\n'.repeat(8);
  const text = `import x;\n\nexport function firstPart() {\n${body}}\n\nclass Second {\n  method(a) {\n${body}  }\n}\n`;
  assert.equal(namesIn(text, 'a.ts'), ['firstPart', 'Second method']);
  assert.equal(namesIn('# install()\n\ntext\n', 'a.md'), ['']);
});

const definitions: readonly (readonly [path: string, line: string, name: string])[] = [
  ['a.ts', 'export default class Reader extends Base {', 'Reader'],
  ['a.ts', 'export const parse = (text) => {', 'parse'],
  ['a.ts', '  async readAll(from: T) {', 'readAll'],
  ['a.ts', 'type Row = {', 'Row'],
  ['a.py', 'def parse_header(line):', 'parse_header'],
  ['a.py', 'class HTTPError(Exception):', 'HTTPError'],
  ['a.go', 'func (s *Server) Serve(l net.Listener) error {', 'Serve'],
  ['a.go', 'type Server struct {', 'Server'],
  ['a.rs', 'pub(crate) fn spawn<F>(future: F) {', 'spawn'],
  ['a.rs', 'impl<T> Display for Wrapper<T> {', ''],
  ['a.rb', 'def valid?', 'valid?'],
  ['a.java', 'public Map<String, List<Row>> rowsOf(int table) {', 'rowsOf'],
  ['a.cpp', 'int Table::insert(const Row& row) {', 'Table::insert'],
  ['a.c', 'static int cmp(const void *a, const void *b)', 'cmp'],
  ['a.php', 'private function findAll($x) {', 'findAll'],
  ['a.el', '(defun buffer-menu (arg)', 'buffer-menu'],
  ['a.sql', 'CREATE TABLE IF NOT EXISTS public.users (', 'public.users'],
  ['a.sh', 'install_tools() {', 'install_tools'],
  ['Makefile.mk', 'build-all: deps', 'build-all'],
];

test('names of definitions in many languages', () => {
  for (const [path, line, name] of definitions) {
    assert.equal(namesIn(`${line}\n  x\n`, path), [name], `${path}: ${line}`);
  }
});

test.run();
