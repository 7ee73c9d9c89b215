import { TroveError } from '@trove/core';

import type { Scope, Text, Value } from './description/index.js';
import { memberOf, textOf, valueAt } from './json.js';

const placeholders = /\{(\+?)([A-Za-z_][\w.[\]-]*)\}/g;
const onePlaceholder = /^\{\+?([A-Za-z_][\w.[\]-]*)\}$/;

/** How a value is written into a text. */
type Escape = (value: string, isRaw: boolean) => string;

/** Fills in the placeholders of a text. Throws `config_invalid` if one has no value. */
export function renderText(text: Text, scope: Scope, escape: Escape = asIs): string {
  const rendered = renderOptional(text, scope, escape);
  if (rendered !== undefined) return rendered;
  const missing = typeof text === 'string' ? ` "${text}"` : '';
  throw new TroveError('config_invalid', `The description of the service${missing} has no value`);
}

/** Like `renderText`, but returns undefined if a placeholder has no value. */
export function renderOptional(
  text: Text,
  scope: Scope,
  escape: Escape = asIs,
): string | undefined {
  if (typeof text === 'function') return textOf(text(scope));
  let isComplete = true;
  const rendered = text.replace(placeholders, (_, raw: string, path: string) => {
    const value = joinedText(placeholderValue(path, scope));
    if (value === undefined) isComplete = false;
    return value === undefined ? '' : escape(value, raw === '+');
  });
  return isComplete ? rendered : undefined;
}

/** Escapes a value for the path of a URL. `{+name}` keeps its slashes. */
export function renderPath(text: Text, scope: Scope): string {
  return renderText(text, scope, (value, isRaw) =>
    isRaw ? encodeSteps(value) : encodeURIComponent(value),
  );
}

/** Escapes each step of a path. A URL stays as it is. */
function encodeSteps(value: string): string {
  if (/^https?:\/\//i.test(value)) return value;
  return value.split('/').map(encodeURIComponent).join('/');
}

/**
 * Fills in the placeholders of all texts in a JSON value. A placeholder without a value stays as it is, because a query of
 * GraphQL looks similar. Members that consist of such a placeholder are left out.
 */
export function renderJson(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') return renderJsonText(value, scope);
  if (Array.isArray(value)) return value.map((item) => renderJson(item, scope));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const rendered = renderJson(member, scope);
      return rendered === undefined ? [] : [[name, rendered]];
    }),
  );
}

function renderJsonText(text: string, scope: Scope): unknown {
  const [, path] = onePlaceholder.exec(text) ?? [];
  if (path !== undefined) return placeholderValue(path, scope);
  return text.replace(placeholders, (whole, _, name: string) => {
    return textOf(placeholderValue(name, scope)) ?? whole;
  });
}

/** Returns the value of an item: of a path, of a text with placeholders, or of a function. */
export async function evaluate(value: Value, item: unknown, scope: Scope): Promise<unknown> {
  if (typeof value === 'function') return value(item, scope);
  const found = value.includes('{')
    ? renderOptional(value, { ...scope, item })
    : valueAt(item, value);
  return found ?? undefined;
}

/** The value of a placeholder. Names of the scope come before members of the item. */
function placeholderValue(path: string, scope: Scope): unknown {
  const [first = '', ...rest] = path.split('.');
  const below = rest.length === 0 ? '.' : rest.join('.');
  if (first === 'item' || first === 'config' || first === 'target')
    return valueAt(scope[first], below);
  if (Object.hasOwn(scope.values, first)) return valueAt(scope.values[first], below);
  if (Object.hasOwn(scope.parents, first) && rest.length > 0)
    return valueAt(memberOf(scope.parents, first), below);
  return valueAt(scope.item, path);
}

/** Returns a scalar or a list of scalars as a text. */
function joinedText(value: unknown): string | undefined {
  if (!Array.isArray(value)) return textOf(value);
  const texts = value.map(textOf);
  return texts.every((text) => text !== undefined) ? texts.join(',') : undefined;
}

function asIs(value: string): string {
  return value;
}
