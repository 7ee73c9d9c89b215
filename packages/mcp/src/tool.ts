import type { Infer, JsonSchema } from '@trove/core';
import { acceptRequest, type TroveOperations } from 'trove';

/** What a tool may use during one call. */
export interface ToolContext {
  readonly engine: TroveOperations;
  /** Aborts when the client disconnects or after the time limit of a call. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** An answer in both forms of the protocol, with the same contents. */
export interface ToolAnswer {
  /** For models: compact lines. */
  readonly text: string;
  /** For programs: matches the output schema. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Arguments as the client sent them. */
export type RawArguments = Readonly<Record<string, unknown>>;

/** The schema of an object, as the protocol requires. */
export type ToolSchema = JsonSchema & { readonly type: 'object' };

interface ToolBase {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Whether the tool changes nothing. */
  readonly isReadOnly: boolean;
  readonly output: ToolSchema;
  /** Names that models invent, with the parameter that each means. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Replaces invented arguments that no alias covers, such as `start_line` with `end_line`. */
  readonly rewrite?: (args: RawArguments) => RawArguments;
}

interface ToolDefinition<S extends ToolSchema> extends ToolBase {
  readonly input: S;
  call(args: Infer<S>, context: ToolContext): Promise<ToolAnswer>;
}

/** A tool for agents. */
export interface Tool extends ToolBase {
  readonly input: ToolSchema;
  /** Throws `validation_error` for invalid arguments. */
  call(args: RawArguments, context: ToolContext): Promise<ToolAnswer>;
}

/** Defines a tool whose arguments are validated before each call. */
export function defineTool<const S extends ToolSchema>(definition: ToolDefinition<S>): Tool {
  return {
    ...definition,
    call: async (args, context) => definition.call(acceptRequest(definition.input, args), context),
  };
}
