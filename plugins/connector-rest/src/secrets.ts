import type { Credentials } from '@trove/core';

/** Returns the credentials in which the secrets of the table `secrets` have their own names. */
export function secretsOf(credentials: Credentials): Credentials {
  return {
    login: credentials.login,
    get: (name) => credentials.get(`secrets.${name}`),
    refresh: (name, renew) => credentials.refresh(`secrets.${name}`, renew),
  };
}
