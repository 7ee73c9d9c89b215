import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SpawnedCommand, serverProgram } from '@trove/test-support/spawned-command.js';
import { startFakeDrive, type FakeDrive } from './fake.js';

/** A home folder, a file with a client, and a fake of the service. */
export class LoginScene implements AsyncDisposable {
  readonly fake: FakeDrive;
  readonly home: string;
  readonly file: string;
  readonly #folder: string;

  constructor(folder: string, fake: FakeDrive) {
    this.#folder = folder;
    this.home = join(folder, 'home');
    this.file = join(folder, 'drive.toml');
    this.fake = fake;
  }

  static async open(): Promise<LoginScene> {
    const scene = new LoginScene(
      await mkdtemp(join(tmpdir(), 'trove-login-')),
      await startFakeDrive(),
    );
    const { origin } = scene.fake.service;
    const lines = [
      'client_id = "client-1"',
      'client_secret = "env:DRIVE_CLIENT_SECRET"',
      `base_url = "${origin}"`,
      `token_url = "${origin}/token"`,
      `authorize_url = "${origin}/o/oauth2/v2/auth"`,
      `device_url = "${origin}/device/code"`,
    ];
    await writeFile(scene.file, lines.join('\n'));
    return scene;
  }

  get env(): Readonly<Record<string, string>> {
    return {
      HOME: this.#folder,
      TROVE_HOME: this.home,
      DRIVE_CLIENT_SECRET: 'secret-1',
    };
  }

  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): SpawnedCommand {
    const all = { ...this.env, ...env };
    return new SpawnedCommand(process.execPath, [serverProgram, 'connector', ...args], all);
  }

  /** Like `run`, on a terminal. */
  runOnTerminal(args: readonly string[]): SpawnedCommand {
    const line = [process.execPath, serverProgram, 'connector', ...args]
      .map((arg) => `'${arg}'`)
      .join(' ');
    return new SpawnedCommand('script', ['-qec', `stty cols 4000; ${line}`, '/dev/null'], this.env);
  }

  login(...args: readonly string[]): SpawnedCommand {
    return this.run(['login', 'gdrive', '--from', this.file, ...args]);
  }

  /** Returns the stored refresh tokens with the modes of their files. */
  async stored(): Promise<readonly { readonly token: string; readonly mode: number }[]> {
    const folder = join(this.home, 'credentials');
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    const files = names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
    return Promise.all(
      files.map(async (file) => {
        const { refresh_token: stored }: Record<string, { readonly token?: string }> = JSON.parse(
          await readFile(file, 'utf8'),
        );
        return { token: stored?.token ?? '', mode: (await stat(file)).mode & 0o777 };
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fake.service.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
