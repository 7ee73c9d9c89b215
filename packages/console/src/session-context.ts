import type { TroveClient } from '@trove/client';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Session } from './session.js';

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('A page is rendered outside of a session');
  return session;
}

/** The permitted actions of the caller. The pages do not offer others. */
export interface Permissions {
  readonly maySync: boolean;
  /** Add, change and remove sources, and build graphs. */
  readonly mayManage: boolean;
  readonly seesAll: boolean;
}

export function usePermissions(): Permissions {
  const { rights, sees_all: seesAll } = useSession().access;
  const mayManage = rights === 'admin';
  return { maySync: mayManage || rights === 'sync', mayManage, seesAll };
}

export function useClient(): TroveClient {
  return useSession().client;
}
