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

export function useClient(): TroveClient {
  return useSession().client;
}
