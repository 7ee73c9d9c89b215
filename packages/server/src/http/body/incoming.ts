import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HostLimits } from '../limits.js';

/**
 * The part of Koa's context that receiving a body needs. Declared with Node's types, because routes are public
 * and Koa's types are not a dependency.
 */
export interface BodyContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly request: { readonly charset: string };
  /** Returns a header, or '' if it is missing. */
  get(name: string): string;
  /** Returns the matching media type, false without a match, or null without a body. */
  is(types: string[]): string | false | null;
}

/** A request whose body has not been read. */
export interface IncomingBody {
  readonly ctx: BodyContext;
  readonly limits: HostLimits;
  /** Aborts with the call of the request. */
  readonly signal: AbortSignal;
  /** Restarts the timeout of the call. */
  extend(): void;
  /**
   * Waits for permission to receive the body, after its first bytes arrived. A client that sends nothing
   * therefore occupies no slot.
   */
  admit?(): Promise<void>;
  /** Throws `unauthorized` if the token was revoked while the body was being received. */
  confirmCaller(): Promise<void>;
  /** Responds with 408 and closes the connection. */
  endAsTooSlow(): void;
}

/** A received body. */
export interface ReceivedBodyValue<T> {
  readonly value: T;
  /** Called after the handler has ended. */
  readonly release?: () => Promise<void>;
}
