import type { Questions } from '@trove/core';

import type { SampleLogin } from '../inspection/sample.js';
import { isSecretPart } from '../secret-problems.js';

/** A login of a source, and what it adds to a request. */
export interface AskedLogin {
  readonly auth: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly sample: SampleLogin;
}

const required = (text: string): string | undefined =>
  text.trim() === '' ? 'Enter a value' : undefined;

/** Asks how to log in to an API that refuses anonymous requests. */
export async function askLogin(questions: Questions): Promise<AskedLogin> {
  const form = await questions.choose('The API needs a login. How do requests log in?', [
    { value: 'bearer', label: 'with a token', hint: 'Authorization: Bearer …' },
    { value: 'header', label: 'with a key in another header', hint: 'X-Api-Key: …' },
    { value: 'query', label: 'with a key in the address', hint: '?api_key=…' },
    { value: 'basic', label: 'with a user name and a password' },
  ]);
  if (form === 'bearer') {
    const { given, value } = await questions.secret('Where is the token?');
    return {
      auth: { bearer: 'token' },
      secrets: { token: given },
      sample: { headers: { authorization: `Bearer ${value}` } },
    };
  }
  if (form === 'basic') return askBasic(questions);
  const isHeader = form === 'header';
  const name = await questions.text(isHeader ? 'Name of the header' : 'Name of the parameter', {
    initial: isHeader ? 'X-Api-Key' : 'api_key',
    check: required,
  });
  return isHeader ? askHeader(questions, name) : askParameter(questions, name);
}

/** Moves a key in the given address into the login. Returns null if the address has none. */
export async function moveSecret(questions: Questions, url: URL): Promise<AskedLogin | null> {
  const name = [...url.searchParams.keys()].find(isSecretPart);
  if (name === undefined) return null;
  url.searchParams.delete(name);
  questions.say(`The parameter ${name} is a secret, so it becomes a part of the login.`);
  return askParameter(questions, name);
}

async function askHeader(questions: Questions, name: string): Promise<AskedLogin> {
  const { given, value } = await questions.secret('Where is the key?');
  return {
    auth: { header: { name, value: '{secret.key}' } },
    secrets: { key: given },
    sample: { headers: { [name]: value } },
  };
}

async function askParameter(questions: Questions, name: string): Promise<AskedLogin> {
  const { given, value } = await questions.secret('Where is the key?');
  return {
    auth: { query: { name, value: '{secret.key}' } },
    secrets: { key: given },
    sample: { query: { [name]: value } },
  };
}

async function askBasic(questions: Questions): Promise<AskedLogin> {
  const user = await questions.text('User name', { check: required });
  const { given, value } = await questions.secret('Where is the password?');
  const login = Buffer.from(`${user}:${value}`).toString('base64');
  return {
    auth: { basic: { user, password: '{secret.password}' } },
    secrets: { password: given },
    sample: { headers: { authorization: `Basic ${login}` } },
  };
}
