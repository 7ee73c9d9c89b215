import { parse } from 'smol-toml';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { editToml } from '../src/wizard/edit-toml.js';

const test = suite('editing TOML');

const text = `# The server of the team.
namespace = "team" # ours

[server]
# Behind the proxy.
bind = "127.0.0.1:8000"  # not 13619
cors_origins = ["https://a.example"]

[embedding]
provider = 'openai'
api_key = "env:KEY" # rotated in May
`;

const cases: readonly [string, Record<string, unknown>, string][] = [
  ['a value', { server: { bind: '0.0.0.0:1' } }, text.replace('127.0.0.1:8000', '0.0.0.0:1')],
  ['a value at the top', { namespace: 'x#y' }, text.replace('"team"', '"x#y"')],
  [
    'a list',
    { server: { cors_origins: ['https://b.example', 'https://c.example'] } },
    text.replace('["https://a.example"]', '[ "https://b.example", "https://c.example" ]'),
  ],
  [
    'a new key',
    { server: { request_timeout_s: 60 } },
    text.replace('example"]\n', 'example"]\nrequest_timeout_s = 60\n'),
  ],
  [
    'a new key at the top',
    { auth_token: '-' },
    text.replace('# ours\n', '# ours\nauth_token = "-"\n'),
  ],
  ['a new section', { log: { level: 'warn' } }, `${text}\n[log]\nlevel = "warn"\n`],
  ['no key', { embedding: { api_key: undefined } }, text.replace(/api_key.*\n/, '')],
];

for (const [what, changes, expected] of cases) {
  test(`writes ${what} and changes no other line`, () => {
    const content: Record<string, unknown> = { ...parse(text) };
    for (const [name, value] of Object.entries(changes)) {
      const merged =
        typeof value === 'object' ? { ...Object(content[name]), ...Object(value) } : value;
      content[name] =
        typeof merged === 'object'
          ? Object.fromEntries(Object.entries(Object(merged)).filter(([, v]) => v !== undefined))
          : merged;
    }
    const edited = editToml(text, content);
    assert.is(edited.text, expected);
    assert.ok(edited.keepsComments);
  });
}

test('edits an empty text, and one that begins with a section', () => {
  assert.is(editToml('', { log: { level: 'warn' } }).text, '[log]\nlevel = "warn"\n');
  const edited = editToml('[log]\nlevel = "warn"\n', { namespace: 'x', log: { level: 'warn' } });
  assert.is(edited.text, 'namespace = "x"\n\n[log]\nlevel = "warn"\n');
});

test('rewrites unsupported forms and reports that', () => {
  for (const odd of [
    '# all\nserver.bind = "a:1"\n',
    '# all\nserver = { bind = "a:1" }\n',
    '# all\n[server]\nbind = """\na:1"""\n',
    '# all\n[server]\n"bind" = "a:1"\n',
    '# all\n["server"]\nbind = "a:1"\n',
  ]) {
    const edited = editToml(odd, { server: { bind: 'b:2' } });
    assert.equal(JSON.parse(JSON.stringify(parse(edited.text))), { server: { bind: 'b:2' } });
    assert.not(edited.keepsComments, odd);
  }
});

test.run();
