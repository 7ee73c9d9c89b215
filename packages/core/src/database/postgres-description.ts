import type { DatabaseDescription } from './failures.js';

/** A connection string with only one reading, because the password contains no delimiter. */
const plainDsn = /^postgres(?:ql)?:\/\/(?:[^@/?#]*@)?([^@/?#]+)\/([^@/?#]*)(?:\?|$)/;

/**
 * Describes a database for messages. Contains its host and name only if they certainly contain no part of the password.
 */
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
