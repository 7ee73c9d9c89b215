import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A project that matches the examples in the documentation. */
export const project = {
  'docs/guide.md': `# Guide\n\n${'The retry policy waits longer each time.\n\n'.repeat(15)}`,
  'docs/notes.md': '# Notes\n\nHow errors are rendered.\n\nHow to restore a backup.\n',
  'docs/terms.html': '<h1>Terms of service</h1><p>Cancelling a contract takes a month.</p>',
  'src/main.ts': 'export function main(): void {\n  fetchAll("--help"); // TODO Größe\n}\n',
  'data/events.jsonl': '{"event": "start"}\n'.repeat(9),
  'logs/all.log': 'a line\n'.repeat(50),
  'archive.toml': '[[objects]]\nmatch = "*.txt"\ntext_fields = ["text"]\n',
};

/** Writes files into a folder and creates the subfolders. */
export function writeFiles(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
