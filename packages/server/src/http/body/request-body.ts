import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonSchema } from '@trove/core';
import type { Limits } from '../limits.js';

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
export interface Incoming {
  readonly ctx: BodyContext;
  readonly limits: Limits;
  /** Of the call that the request is for. */
  readonly signal: AbortSignal;
  /** Gives that call its whole time again. */
  extend(): void;
  /** Waits until the body may be received, once it has begun: who connects and sends nothing keeps nobody waiting. */
  admit?(): Promise<void>;
  /** Answers with 408 and ends the connection. */
  endAsTooSlow(): void;
}

/** A kind of body: what it may be, as data, and how it is received. */
export interface RequestBody<T> {
  /** Schemas by media type; empty for none. */
  readonly content: Readonly<Record<string, JsonSchema>>;
  /** Throws `unsupported_media_type`, `payload_too_large` or `validation_error`. */
  receive(incoming: Incoming): Promise<Received<T>>;
}

export interface Received<T> {
  readonly value: T;
  /** Called when the handler has ended, however it ended. */
  readonly release?: () => Promise<void>;
}

/** Of requests without one; what is sent all the same is not read. */
export const noBody: RequestBody<undefined> = {
  content: {},
  receive: () => Promise.resolve({ value: undefined }),
};
