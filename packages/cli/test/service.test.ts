import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { launchdPlist, systemdUnit } from '../src/serve/service-file.js';
import { place } from './support/place.js';
import { runTrove, spawnTrove } from './support/trove.js';

const test = suite('serve install');

const program = {
  program: '/opt/my "node"',
  args: ['/a b/server.js', 'run', '--config', '/100%/$x\\y'],
  env: { TROVE_HOME: '/home/me/<&>' },
  home: '/home/me/50%',
  log: '/home/me/log',
};

test('quotes paths for systemd', () => {
  const unit = systemdUnit(program);
  assert.match(
    unit,
    String.raw`ExecStart="/opt/my \"node\"" "/a b/server.js" "run" "--config" "/100%%/$$x\\y"`,
  );
  assert.match(unit, 'Environment="TROVE_HOME=/home/me/<&>"\n');
  assert.match(unit, 'WorkingDirectory=/home/me/50%%\n');
});

test('escapes paths for launchd', () => {
  const plist = launchdPlist(program);
  assert.match(plist, '<string>/a b/server.js</string>');
  assert.match(plist, '<key>TROVE_HOME</key>\n    <string>/home/me/&lt;&amp;&gt;</string>');
});

/** Behaves like systemctl: `restart` runs the command of the unit, and other commands wait for its end. */
const systemctl = `#!/bin/sh
echo "$*" >> "$HOME/calls"
end() {
  pid=$(cat "$HOME/pid" 2> /dev/null) || return 0
  kill "$pid" 2> /dev/null
  # The process may have no parent that notices its end.
  while [ -d "/proc/$pid" ] && ! grep -q ") Z" "/proc/$pid/stat"; do sleep 0.05; done
}
case "$*" in
  *restart*)
    end
    unit="$HOME/.config/systemd/user/trove.service"
    eval "export $(sed -n 's/^Environment=//p' "$unit" | tr '\\n' ' ')"
    command=$(sed -n 's/^ExecStart=//p' "$unit")
    eval "exec $command" > /dev/null 2>&1 < /dev/null &
    echo $! > "$HOME/pid" ;;
  *disable*|*stop*) end ;;
esac
`;

test('installs, starts, stops and removes a service', async () => {
  if (process.platform !== 'linux') return;
  await using here = await place();
  const { home, endpoint } = here;
  const root = join(home, '..');
  const bin = join(root, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'systemctl'), systemctl);
  await chmod(join(bin, 'systemctl'), 0o755);
  const env = { TROVE_ENDPOINT: endpoint, HOME: root, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  const trove = (...args: string[]) => runTrove(args, { home, cwd: root, env });
  assert.is((await trove('serve', 'uninstall')).stdout, 'Not installed\n');
  const installed = await trove('serve', 'install');
  assert.is(installed.code, 0, installed.stderr);
  assert.match(installed.stdout, `running at ${endpoint}`);
  assert.match((await trove('status')).stdout, 'No sources yet');
  const running = new RegExp(`unning: the service .*trove.service at ${endpoint}\n`);
  assert.match((await trove('serve', 'status')).stdout, running);
  assert.match((await trove('serve', 'start')).stdout, running);
  assert.match((await trove('serve', 'restart')).stdout, running);
  assert.match((await trove('serve', 'stop')).stdout, 'Stopped the service ');
  assert.is((await trove('serve', 'status')).code, 1);
  assert.match((await trove('serve', 'start')).stdout, running);
  const elsewhere = await trove('serve', 'start', '--bind', '127.0.0.1:1234');
  assert.match(elsewhere.stderr, 'trove serve install --bind 127.0.0.1:1234');
  const removed = await trove('serve', 'uninstall');
  assert.match(removed.stdout, 'Removed ');
  const calls = await readFile(join(root, 'calls'), 'utf8');
  assert.is(
    calls,
    [
      '--user daemon-reload',
      '--user enable trove.service',
      '--user restart trove.service',
      '--user restart trove.service',
      '--user stop trove.service',
      '--user restart trove.service',
      '--user disable --now trove.service',
      '--user daemon-reload',
      '',
    ].join('\n'),
  );
});

test('reports a server that hangs within five seconds', async () => {
  await using here = await place();
  const { ok, trove, home } = here;
  await ok('serve', 'start');
  const record = JSON.parse(await ok('serve', 'status', '--json')) as { pid: number };
  process.kill(record.pid, 'SIGSTOP');
  const began = performance.now();
  const child = spawnTrove(['search', 'x'], { home, env: { TROVE_ENDPOINT: here.endpoint } });
  try {
    let stderr = '';
    for await (const piece of child.stderr ?? []) {
      stderr += String(piece);
      if (stderr.includes('does not answer, and may hang')) break;
    }
    assert.match(stderr, 'does not answer, and may hang');
    assert.ok(performance.now() - began < 5500, `after ${performance.now() - began} ms`);
  } finally {
    child.kill('SIGKILL');
    process.kill(record.pid, 'SIGCONT');
  }
  assert.is((await trove('search', 'x')).code, 0);
});

test.run();
