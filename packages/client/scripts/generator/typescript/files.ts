import type { OpenApiDocument } from '../document.js';
import { groupFile, type Method, methodsOf } from './methods.js';
import { Models } from './models.js';
import { parametersCode } from './parameters.js';

const notice = '// Generated from the OpenAPI document by "npm run generate". Do not edit.\n';

/** Returns the unformatted generated files of the client by name. */
export function typescriptFiles(document: OpenApiDocument): Map<string, string> {
  const models = new Models(document);
  const methods = methodsOf(document, models);
  const groups = [...new Set(methods.map(({ group }) => group))].sort();
  const files = new Map<string, string>();
  for (const group of groups) {
    const own = methods.filter((method) => method.group === group);
    files.set(groupFile(group), groupCode(group, own, models));
  }
  files.set('models.ts', `${notice}\n${models.declarations()}`);
  files.set('parameters.ts', `${notice}\n${parametersCode(document)}`);
  files.set('client.ts', clientCode(groups));
  files.set('index.ts', indexCode(groups));
  return files;
}

function groupCode(group: string, methods: readonly Method[], models: Models): string {
  const declarations = methods.map(({ declaration }) => declaration).join('\n');
  const code = methods.map((method) => method.code).join('\n');
  const body = `${declarations}
/** The operations of the API that are tagged ${group.replace(/Api$/, '')}. */
export class ${group} {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

${code}}
`;
  return `${notice}\n${groupImports(body, models)}\n${body}`;
}

function groupImports(body: string, models: Models): string {
  const used = models.importsIn(body);
  const request = ['pathSegment', 'type UploadBody'].filter((name) =>
    body.includes(name.replace('type ', '')),
  );
  return [
    `import type { CallOptions } from '../runtime/configuration.js';`,
    `import type { HttpClient } from '../runtime/http.js';`,
    request.length === 0 ? '' : `import { ${request.join(', ')} } from '../runtime/request.js';`,
    used.length === 0 ? '' : `import type { ${used.join(', ')} } from './models.js';`,
  ]
    .filter((line) => line !== '')
    .join('\n')
    .concat('\n');
}

function clientCode(groups: readonly string[]): string {
  const imports = groups.map((group) => `import { ${group} } from './${modulePath(group)}';`);
  const fields = groups.map((group) => `readonly ${field(group)}: ${group};`);
  const created = groups.map((group) => `this.${field(group)} = new ${group}(this.http);`);
  return `${notice}
import type { ClientConfiguration } from '../runtime/configuration.js';
import { HttpClient } from '../runtime/http.js';
${imports.join('\n')}

/** All groups of the API over one connection. */
export class TroveClient {
  /** For requests that the groups do not offer. */
  readonly http: HttpClient;
  ${fields.join('\n  ')}

  constructor(configuration: ClientConfiguration = {}) {
    this.http = new HttpClient(configuration);
    ${created.join('\n    ')}
  }
}
`;
}

function indexCode(groups: readonly string[]): string {
  const modules = ['client.js', 'models.js', ...groups.map(modulePath)];
  return `${notice}\n${modules.map((name) => `export * from './${name}';`).join('\n')}\n`;
}

function modulePath(group: string): string {
  return groupFile(group).replace(/\.ts$/, '.js');
}

function field(group: string): string {
  const name = group.replace(/Api$/, '');
  return (name[0]?.toLowerCase() ?? '') + name.slice(1);
}
