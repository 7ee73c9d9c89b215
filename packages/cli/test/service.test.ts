import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { launchdPlist, systemdUnit } from '../src/serve/service-file.js';
import { place } from './support/place.js';
import { parsePlist } from './support/plist.js';
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

test('writes a property list with the keys of launchd', () => {
  assert.equal(parsePlist(launchdPlist(program)), {
    Label: 'dev.trove.server',
    ProgramArguments: ['/opt/my "node"', '/a b/server.js', 'run', '--config', '/100%/$x\\y'],
    EnvironmentVariables: { TROVE_HOME: '/home/me/<&>' },
    WorkingDirectory: '/home/me/50%',
    StandardErrorPath: '/home/me/log',
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    ExitTimeOut: 15,
  });
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

/** Behaves like systemctl without a session of the user, or for a unit that cannot be started. */
const failingSystemctl = (command: string, message: string) => `#!/bin/sh
echo "$*" >> "$HOME/calls"
case "$*" in
  *${command}*) echo "${message}" >&2; exit 1 ;;
esac
`;
const noBus = 'Failed to connect to bus: No medium found';

test('leaves nothing behind if the service cannot be installed', async () => {
  if (process.platform !== 'linux') return;
  await using here = await place();
  const { home, endpoint } = here;
  const root = join(home, '..');
  const bin = join(root, 'bin');
  await mkdir(bin);
  const env = { TROVE_ENDPOINT: endpoint, HOME: root, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  const trove = (...args: string[]) => runTrove(args, { home, cwd: root, env });
  const unit = join(root, '.config/systemd/user/trove.service');
  const replaceTool = async (text: string): Promise<void> => {
    await writeFile(join(bin, 'systemctl'), text);
    await chmod(join(bin, 'systemctl'), 0o755);
  };

  await replaceTool(failingSystemctl('daemon-reload', noBus));
  const refused = await trove('serve', 'install');
  assert.is(refused.code, 1);
  assert.match(refused.stderr, `not installed: systemctl --user daemon-reload: ${noBus}`);
  assert.match(refused.stderr, 'trove serve start');
  assert.match(refused.stderr, 'login session');
  assert.not(existsSync(unit));
  assert.is((await trove('serve', 'uninstall')).stdout, 'Not installed\n');

  await replaceTool(failingSystemctl('restart', 'Job for trove.service failed.'));
  assert.match((await trove('serve', 'install')).stderr, 'Job for trove.service failed.');
  assert.not(existsSync(unit));
  assert.match(await readFile(join(root, 'calls'), 'utf8'), /disable --now .*\n.*daemon-reload\n$/);
  assert.match((await trove('serve', 'status')).stdout, 'Not running');

  await trove('serve', 'start');
  assert.is((await trove('serve', 'install')).code, 1);
  assert.match((await trove('serve', 'status')).stdout, `answers at ${endpoint}`);

  await mkdir(dirname(unit), { recursive: true });
  await writeFile(unit, 'the previous unit');
  assert.is((await trove('serve', 'install')).code, 1);
  assert.is(await readFile(unit, 'utf8'), 'the previous unit');
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
