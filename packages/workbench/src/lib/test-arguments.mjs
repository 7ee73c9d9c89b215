import { parseArgs } from 'node:util';

/** Parses the arguments of a test command: `{ filters, isAll }`. Throws on an unknown option. */
export function testArguments(args = process.argv.slice(2)) {
  const { values, positionals } = parseArgs({
    args,
    options: { all: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  return { filters: positionals, isAll: values.all };
}
