import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HostLimits } from '../limits.js';

/** What a body needs of Koa's context, in words of Node: routes are public, and Koa's types are not installed with them. */
export interface BodyContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly request: { readonly charset: string };
  /** A header; '' if there is none. */
  get(name: string): string;
  /** Which of the media types the content has; null without a body. */
  is(types: string[]): string | false | null;
}

/** A request whose body has not been read. */
export interface IncomingBody {
  readonly ctx: BodyContext;
  readonly limits: HostLimits;
  /** Of the call that the request is for. */
  readonly signal: AbortSignal;
  /** Gives that call its whole time again. */
  extend(): void;
  /** Waits until the body may be received, once it has begun: who connects and sends nothing keeps nobody waiting. */
  admit?(): Promise<void>;
  /** Answers with 408 and ends the connection. */
  endAsTooSlow(): void;
}

/** A body that was received. */
export interface ReceivedBodyValue<T> {
  readonly value: T;
  /** Called when the handler has ended, however it ended. */
  readonly release?: () => Promise<void>;
}
