import type { Credentials } from '@trove/core';

/** Credentials in memory. Tests change `values`. */
export function credentialsOf(
  values: Record<string, string>,
  login = 'login',
): Credentials & { readonly values: Record<string, string> } {
  return {
    values,
    login,
    get: async (name) => values[name],
    refresh: async (name, renew) => {
      const token = await renew(values[name] ?? '');
      values[name] = token;
      return token;
    },
  };
}
