import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { chunkText } from '../src/content/chunking/index.js';

const test = suite('names of definitions');

/** The names of each chunk. */
function namesIn(text: string, path: string): string[] {
  const input = {
    text,
    kind: 'code',
    mediaType: null,
    path,
    maxChars: 260,
    maxChunks: 100,
  } as const;
  return chunkText(input).chunks.map(({ names, members }) => `${names} ${members}`.trim());
}

test('a chunk of code has only the names of definitions that start in it', () => {
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
  ['a.kt', 'enum class Color {', 'Color'],
  ['a.kt', 'fun <T> List<T>.second(of: T): T {', 'second'],
  ['a.lua', 'function M:open(x)', 'open'],
  ['a.tf', 'resource "aws_instance" "web_server" {', 'web_server'],
  ['a.js', 'list.items.forEach((item) => {', ''],
  ['a.ts', '  type Row,', ''],
  ['a.cpp', 'class Row;', ''],
  ['a.rs', 'pub struct Row;', 'Row'],
];

/** These definitions do not split a text. */
const smaller: typeof definitions = [
  ['a.ts', 'export const limit: number = 42;', 'limit'],
  ['a.ts', 'const limit = 42;', 'limit'],
  ['a.ts', '  const limit = 42;', ''],
  ['a.ts', '  const MAX_ROWS = 42;', 'MAX_ROWS'],
  ['a.ts', '  private async load<K>(key: K): Promise<K> {', 'load'],
  ['a.ts', '  private readonly rows: Map<string, Row> = new Map();', 'rows'],
  ['a.ts', '  onEnd = async (x: number) => x + 1;', 'onEnd'],
  ['a.ts', '  abstract run(): void;', 'run'],
  ['a.js', "const Client = require('./client');", ''],
  ['a.js', 'exports.parse = (text) => text;', 'parse'],
  ['a.js', 'module.exports = parse;', ''],
  ['a.js', 'module.exports = class Reader extends Base {', 'Reader'],
  ['a.js', 'Reader.prototype.next = function () {', 'next'],
  ['a.js', '  if (next) { stop() }', ''],
  ['a.js', '  function (to) { return to; };', ''],
  ['a.js', '  next(to) { return to; },', 'next'],
  ['a.py', 'DEFAULT_LIMIT: int = 10', 'DEFAULT_LIMIT'],
  ['a.py', 'plus = lambda a, b: a + b', 'plus'],
  ['a.py', '  total = total + 1', ''],
  ['a.go', 'var pool = sync.Pool{}', 'pool'],
  ['a.go', 'const limit int = 10', 'limit'],
  ['a.go', '\tvar total int', ''],
  ['a.rs', 'pub static POOL: Pool = Pool::new();', 'POOL'],
  ['a.rs', 'pub unsafe extern "C" fn call(a: i32) -> i32 {', 'call'],
  ['a.rs', 'pub mod inner {', 'inner'],
  ['a.java', '  public static final int MAX_ROWS = 10;', 'MAX_ROWS'],
  ['a.java', '  private final Map<String, List<Row>> rows;', 'rows'],
  ['a.java', '  void close(int how) throws IOException;', 'close'],
  ['a.java', '  return close(how);', ''],
  ['a.java', '  * Closes the file (once), see {@link File}', ''],
  ['a.java', '  synchronized (rows) { rows.clear(); }', ''],
  ['a.java', 'public @interface Marked {', 'Marked'],
  ['a.c', '#define MAX_ROWS 10', 'MAX_ROWS'],
  ['a.c', 'typedef int (*compare_fn)(int);', 'compare_fn'],
  ['a.c', 'typedef unsigned long row_id;', 'row_id'],
  ['a.c', 'typedef struct row {', 'row'],
  ['a.c', '} row_t;', 'row_t'],
  ['a.c', 'static const char *names[] = {"a"};', 'names'],
  ['a.c', 'int insert(const struct row *row,\n           int at)\n{', 'insert'],
  ['a.c', ' * Gives the rows (all)\n */\nint count(int at)\n{', 'count'],
  ['a.h', 'int insert(const struct row *row,\n           int at);', ''],
  ['a.cpp', 'enum class Color { red };', 'Color'],
  ['a.cpp', 'using RowId = std::uint64_t;', 'RowId'],
  ['a.cpp', '  int size() const { return size_; }', 'size'],
  ['a.cpp', '    : rows_(rows), size_(size) {}', ''],
  ['a.cpp', '    const Row &parent = none) {', ''],
  ['a.m', '@interface RowStore : NSObject', 'RowStore'],
  ['a.m', '- (int)load:(int)key {', 'load'],
  ['a.cs', '  public async Task<List<T>> Load(int key)\n  {', 'Load'],
  ['a.cs', '  public int Size { get; set; }', 'Size'],
  ['a.cs', '  public string Name => "x";', 'Name'],
  ['a.php', '  private array $rows = [];', '$rows'],
  ['a.php', "define('MAX_ROWS', 1);", 'MAX_ROWS'],
  ['a.rb', '  attr_reader :rows', 'rows'],
  ['a.rb', '  MAX_ROWS = 10', 'MAX_ROWS'],
  ['a.swift', '  @discardableResult public static func make() -> Self {', 'make'],
  ['a.swift', 'actor Keeper {', 'Keeper'],
  ['a.ex', '  @callback render(term) :: term', 'render'],
  ['a.ex', '  @enforce_keys [:rows]', ''],
  ['a.ex', '  @limit 42', 'limit'],
  ['a.kt', '  private lateinit var rows: Rows', 'rows'],
  ['a.scala', 'case class Point(x: Int)', 'Point'],
  ['a.dart', '  int get size => 1;', 'size'],
  ['a.hs', 'data Color = Red | Green', 'Color'],
  ['a.hs', 'render :: String -> IO ()', 'render'],
  ['a.ml', 'let rec render a =', 'render'],
  ['a.ml', '  let total = count rows in', ''],
  ['a.erl', '-record(point, {x, y}).', 'point'],
  ['a.jl', 'plus(a, b) = a + b', 'plus'],
  ['a.r', 'plus <- function(a, b) {', 'plus'],
  ['a.ps1', 'function Get-Rows {', 'Rows'],
  ['a.vb', 'Public Function Load(key As Integer) As Integer', 'Load'],
  ['a.pas', 'procedure Load(key: Integer);', 'Load'],
  ['a.graphql', 'input RowInput { a: Int }', 'RowInput'],
  ['a.zig', 'pub const Row = struct {', 'Row'],
  ['a.sh', 'MAX_ROWS=10', 'MAX_ROWS'],
];

test('finds names of definitions in many languages', () => {
  for (const [path, line, name] of [...definitions, ...smaller]) {
    assert.equal(namesIn(`${line}\n  x\n`, path), [name], `${path}: ${line}`);
  }
});

test.run();
