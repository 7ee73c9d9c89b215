import { readFile } from 'node:fs/promises';
import { parse } from 'smol-toml';

/** Returns the configuration in `examples/web-api/stock.toml`, for an API at another address. */
export async function exampleConfig(origin: string): Promise<Readonly<Record<string, unknown>>> {
  const file = new URL('../../../examples/web-api/stock.toml', import.meta.url);
  const text = await readFile(file, 'utf8');
  return parse(text.replace('https://stock.example.com/api', `${origin}/api`));
}
