import type { DatabaseDescription } from './failures.js';

/** A connection string that can only be parsed one way: the password contains no delimiter. */
const plainDsn = /^postgres(?:ql)?:\/\/(?:[^@/?#]*@)?([^@/?#]+)\/([^@/?#]*)(?:\?|$)/;

/** How messages name the database: by host and name if these certainly contain nothing of the password. */
export function describePostgres(dsn: string): DatabaseDescription {
  const [, host, name] = plainDsn.exec(dsn) ?? [];
  return {
    name:
      host === undefined ? 'The PostgreSQL database' : `The PostgreSQL database ${name} at ${host}`,
    secrets: secretsOf(dsn),
  };
}

function secretsOf(dsn: string): string[] {
  const secrets = [dsn];
  const userinfo = /^[a-z]+:\/\/(.*)@/i.exec(dsn)?.[1] ?? '';
  const password = userinfo.slice(userinfo.indexOf(':') + 1);
  const parameter = /[?&]password=([^&]*)/.exec(dsn)?.[1] ?? '';
  for (const secret of [password, parameter]) secrets.push(secret, decodeLeniently(secret));
  return secrets.filter((secret) => secret !== '');
}

function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
