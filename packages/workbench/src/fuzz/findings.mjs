import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const shownChars = 800;

/** A broken law. `key` names its kind: many occurrences of a fault are one finding. */
export class Violation extends Error {
  constructor(key, message, facts = {}) {
    super(message);
    this.name = 'Violation';
    this.key = key;
    this.facts = facts;
  }
}

/** Collects faults, one of each kind, and reports each immediately with the command that reproduces it. */
export class Findings {
  #found = new Map();
  #folder;
  #say;

  constructor({ folder, say = (text) => console.error(text) }) {
    this.#folder = folder;
    this.#say = say;
  }

  get all() {
    return [...this.#found.values()];
  }

  /** Whether this kind of fault is known. Counts it if so. */
  knows(key) {
    const known = this.#found.get(key);
    if (known !== undefined) known.times++;
    return known !== undefined;
  }

  /** `again` is the command that reproduces the finding. */
  add(violation, again) {
    if (this.knows(violation.key)) return;
    const { key, message, facts = {} } = violation;
    const finding = { key, message, again, times: 1, facts };
    this.#found.set(key, finding);
    mkdirSync(this.#folder, { recursive: true });
    const file = join(this.#folder, `${key.replaceAll(/[^a-z0-9]+/gi, '-')}.json`);
    writeFileSync(file, JSON.stringify(finding, null, 2));
    this.#say(
      `FAULT  ${key}\n  ${message}\n  again: ${again}\n  all of it: ${file}\n${shown(facts)}`,
    );
  }
}

function shown(facts) {
  return Object.entries(facts)
    .map(([name, value]) => `  ${name}: ${JSON.stringify(value, null, 1)?.slice(0, shownChars)}`)
    .join('\n');
}
