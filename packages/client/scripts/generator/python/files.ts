import { type ClientOperation, contractOf } from '../contract.js';
import type { OpenApiDocument } from '../document.js';
import { pascalCase } from '../names.js';
import { methodOf } from './methods.js';
import { PythonModels } from './models.js';
import { snakeCase } from './names.js';

const notice = '# Generated from the OpenAPI document by "npm run generate". Do not edit.\n';
const futureImport = 'from __future__ import annotations\n';

/** Returns the generated files of the Python client by name. */
export function pythonFiles(document: OpenApiDocument): Map<string, string> {
  const models = new PythonModels(document);
  const operations = contractOf(document);
  const groups = [...new Set(operations.map(({ group }) => group))].sort();
  const files = new Map<string, string>();
  for (const group of groups) {
    const own = operations.filter((operation) => operation.group === group);
    files.set(`${moduleOf(group)}.py`, groupCode(group, own, models));
  }
  files.set('models.py', modelsCode(models));
  files.set('client.py', clientCode(groups));
  files.set('__init__.py', indexCode(groups, models));
  return files;
}

function groupCode(
  group: string,
  operations: readonly ClientOperation[],
  models: PythonModels,
): string {
  const methods = operations.map((operation) => methodOf(operation, models)).join('\n');
  const body = `class ${className(group)}:
    """The operations of the API that are tagged ${group}."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

${methods}`;
  const imports = [
    importing('collections.abc', ['Iterator'], body),
    importing('typing', ['Any', 'Literal'], body),
    '',
    importing('.._bodies', ['Form', 'FormFile', 'Json', 'Stream', 'UploadBody'], body),
    importing('.._decode', decoders, body),
    importing('.._http', ['HttpClient', 'path_segment'], body),
    importing('.models', models.names(), body),
  ];
  return `${notice}${futureImport}\n${lines(imports)}\n\n${body}`;
}

function modelsCode(models: PythonModels): string {
  const body = models.declarations();
  const imports = [
    importing('dataclasses', ['dataclass', 'field'], body),
    importing('typing', ['Any', 'Literal'], body),
    '',
    importing('.._decode', decoders, body),
  ];
  return `${notice}${futureImport}\n${lines(imports)}\n\n${body}`;
}

function clientCode(groups: readonly string[]): string {
  const imports = groups.map((group) => `from .${moduleOf(group)} import ${className(group)}`);
  const created = groups.map(
    (group) => `        self.${fieldOf(group)} = ${className(group)}(self.http)`,
  );
  return `${notice}${futureImport}
from collections.abc import Mapping

from .._http import DEFAULT_BASE_URL, HttpClient
${imports.join('\n')}


class TroveClient:
    """All groups of the API of one server. May be shared by threads.

    :param base_url: A path in it is kept as a prefix.
    :param token: Sent as \`Authorization: Bearer TOKEN\`; nothing is sent without one.
    :param timeout: Seconds without progress until a call fails with the code \`timeout\`. Default: no limit.
    :param headers: Sent with every request.
    """

    def __init__(
        self,
        base_url: str = DEFAULT_BASE_URL,
        *,
        token: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.http = HttpClient(base_url, token=token, timeout=timeout, headers=headers)
${created.join('\n')}
`;
}

function indexCode(groups: readonly string[], models: PythonModels): string {
  const exported = [...groups.map(className), 'TroveClient', ...models.names()].sort();
  const imports = groups.map((group) => `from .${moduleOf(group)} import ${className(group)}`);
  return `${notice}
${imports.join('\n')}
from .client import TroveClient
from .models import (
${models
  .names()
  .map((name) => `    ${name},\n`)
  .join('')})

__all__ = [
${exported.map((name) => `    "${name}",\n`).join('')}]
`;
}

const decoders = ['dict_of', 'identity', 'list_of', 'one_of', 'optional'];

/** Imports the names that the code uses outside its docstrings. */
function importing(module: string, names: readonly string[], code: string): string | undefined {
  const words = new Set(code.replaceAll(/""".*?"""/gs, '').match(/\w+/g));
  const used = names.filter((name) => words.has(name));
  if (used.length === 0) return undefined;
  const line = `from ${module} import ${used.join(', ')}`;
  if (line.length <= 88) return line;
  return `from ${module} import (\n${used.map((name) => `    ${name},\n`).join('')})`;
}

function lines(imports: readonly (string | undefined)[]): string {
  const present = imports.filter((line) => line !== undefined);
  return present.join('\n').trim().concat('\n');
}

function className(group: string): string {
  return `${pascalCase(group)}Api`;
}

function moduleOf(group: string): string {
  return `${snakeCase(pascalCase(group))}_api`;
}

function fieldOf(group: string): string {
  return snakeCase(pascalCase(group));
}
