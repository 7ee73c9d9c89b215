import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { questionsOf } from '../src/graphs/example-questions.js';
import { meanDurationMs, parseMetrics, total } from '../src/health/metrics.js';
import { pathFrom, resolveLink, rootOf } from '../src/read/paths.js';
import { columnsOf, messagesOf, parseRecords, threadMessages } from '../src/read/records.js';
import { rowsOf } from '../src/read/tree-rows.js';
import { configOf, fieldsOf } from '../src/sources/config-fields.js';
import { choicesOf, targetOf } from '../src/sources/kinds.js';
import { rulesOf, withRules } from '../src/sources/object-rules.js';
import { commandOf, toolCallOf } from '../src/search/commands.js';

const test = suite('objects, sources and metrics of the console');

test('finds the source of an object and the folders above it', () => {
  const roots = ['file://local/a', 'file://local/a/b', 'file://local/ab'];
  assert.is(rootOf('file://local/a/b/c.md', roots), 'file://local/a/b');
  assert.is(rootOf('file://local/abc', roots), null);
  assert.equal(pathFrom('file://local/a', 'file://local/a/b/c.md'), [
    'file://local/a',
    'file://local/a/b',
    'file://local/a/b/c.md',
  ]);
});

test('resolves links only within the source', () => {
  const resolve = (href: string) =>
    resolveLink(href, 'file://local/a/docs/guide.md', 'file://local/a');
  assert.is(resolve('./more.md#top'), 'file://local/a/docs/more.md');
  assert.is(resolve('../README.md'), 'file://local/a/README.md');
  assert.is(resolve('/src/x.ts'), 'file://local/a/src/x.ts');
  for (const href of ['../../secret.md', '//example.com/x', 'javascript:alert(1)', '#top', 'x:y'])
    assert.is(resolve(href), null, href);
});

test('keeps members of rules that the form does not show', () => {
  const config = { key: 'k', objects: [{ match: '*.log', indexable: false, priority: 3 }] };
  const rules = rulesOf(config);
  assert.equal(withRules(config, rules), config);
  const more = [...rules, { match: ' ', isIndexed: true, others: {} }];
  assert.equal(withRules(config, more), config);
  assert.equal(withRules(config, []), { key: 'k' });
});

test('makes example questions of relations', () => {
  const relation = (subject: string, predicate: string, object: string) => ({
    id: subject,
    source: subject,
    target: object,
    description: '',
    text: '',
    subject,
    predicate,
    object,
    entity_ids: [subject, object],
    passage_ids: [],
  });
  assert.equal(questionsOf([]), []);
  assert.equal(
    questionsOf([relation('Reuss', 'flows into', 'Aare'), relation('Aare', 'flows into', 'Rhine')]),
    ['Who or what flows into Aare?', 'How are Reuss and Rhine connected?'],
  );
});

test('recognises records and messages', () => {
  assert.is(parseRecords('not json'), null);
  assert.is(parseRecords('[1]'), null);
  const records = parseRecords(
    '{"author":"Ann","text":"Hello","id":1}\n{"from":"Bo","body":"x"}\n',
  );
  assert.equal(columnsOf(records ?? []), ['author', 'text', 'id', 'from', 'body']);
  assert.equal(
    messagesOf(records ?? [])?.map(({ author, text, others }) => [author, text, others]),
    [
      ['Ann', 'Hello', { id: 1 }],
      ['Bo', 'x', {}],
    ],
  );
  assert.is(messagesOf([{ id: 1, price: 2 }]), null);
});

test('parses the text of a thread', () => {
  const messages = threadMessages('Ann: Hello\n\nstill Ann\n\nBo: Hi: there\n');
  assert.equal(
    messages?.map(({ author, text }) => [author, text]),
    [
      ['Ann', 'Hello\n\nstill Ann'],
      ['Bo', 'Hi: there'],
    ],
  );
  assert.is(threadMessages('No author here'), null);
});

test('shows the entries of opened folders below them', () => {
  const entry = (name: string, type: 'file' | 'dir') => ({
    name,
    type,
    path: `x://a/${name}`,
    media_type: null,
    size_hint: null,
    search_status: null,
    indexable: null,
    reason: null,
    real_id: null,
  });
  const entries = [entry('deep', 'dir'), entry('fox.md', 'file')];
  const rows = rowsOf(
    [{ path: 'x://a', name: 'a' }],
    new Map([
      ['x://a', { state: 'ready', entries }],
      ['x://a/deep', { state: 'failed', message: 'closed' }],
    ]),
  );
  assert.equal(
    rows.map(({ name, level, isOpen }) => [name, level, isOpen]),
    [
      ['a', 1, true],
      ['deep', 2, true],
      ['closed', 3, false],
      ['fox.md', 2, false],
    ],
  );
});

test('makes fields of a schema, and a configuration of their values', () => {
  const fields = fieldsOf({
    type: 'shop',
    address: null,
    questions: [{ setting: 'token', ask: 'Access token', help: null }],
    config_schema: {
      type: 'object',
      required: ['url'],
      properties: {
        pages: { type: 'integer', default: 5 },
        token: { type: 'string', writeOnly: true },
        url: { type: 'string', description: 'Its address' },
        mode: { enum: ['a', 'b'] },
        paths: { type: 'array', items: { type: 'string' } },
        headers: { type: 'object' },
        fast: { type: 'boolean' },
      },
    },
  });
  assert.equal(
    fields.map(({ name, kind, isCommon }) => `${name} ${kind} ${isCommon}`),
    [
      'url text true',
      'token secret true',
      'pages number false',
      'mode choice false',
      'paths list false',
      'headers json false',
      'fast boolean false',
    ],
  );
  const values = { url: 'x', pages: '7', paths: 'a\n\n b', headers: '{"a":1}', fast: 'false' };
  assert.equal(configOf(fields, values), {
    url: 'x',
    pages: 7,
    paths: ['a', 'b'],
    headers: { a: 1 },
    fast: false,
  });
  assert.throws(() => configOf(fields, { headers: '{' }), /headers: this is no JSON/);
});

test('names the kinds of sources', () => {
  const kinds = [
    { schemes: ['feishu', 'lark'], name: 'Feishu' },
    { schemes: ['file'], name: 'Folder' },
  ].map((kind) => ({ ...kind, content: null, rights: null }));
  assert.equal(choicesOf({ kinds }), [
    ['file', 'Folder'],
    ['feishu', 'Feishu'],
    ['lark', 'Feishu (lark)'],
  ]);
  assert.is(targetOf('file', ' /notes '), '/notes');
  assert.is(targetOf('postgres', 'shop'), 'postgres://shop');
  assert.is(targetOf('postgres', 'postgres://shop'), 'postgres://shop');
});

test('reads metrics', () => {
  const duration = 'trove_http_request_duration_seconds';
  const at = (count: number, sum: number) =>
    parseMetrics(
      `# HELP x y\n${duration}_sum{route="/a",method="GET"} ${sum}\n${duration}_count{route="/a \\"b\\""} ${count}\nup 1`,
    );
  assert.is(total(at(1, 2), 'up'), 1);
  assert.is(at(1, 2)[0]?.labels['route'], '/a');
  assert.is(meanDurationMs(at(1, 2), at(3, 4)), 1000);
  assert.is(meanDurationMs(at(1, 2), at(1, 2)), null);
});

test('writes a search for a shell and for agents', () => {
  const request = { q: "it's", path: 'file://local/a b', kind: 'row_text,summary' };
  assert.is(
    commandOf(request),
    `trove search 'it'\\''s' 'file://local/a b' --kind row_text,summary`,
  );
  assert.equal(JSON.parse(toolCallOf(request)).arguments, {
    query: "it's",
    path: 'file://local/a b',
    filter: 'chunk_kind in ("row_text", "summary")',
  });
});

test.run();
