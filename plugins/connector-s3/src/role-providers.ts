import { readFile } from 'node:fs/promises';

import type { AwsEnvironment } from './profile.js';

/** How a key is got for a role. */
export interface RoleProvider {
  /** Whose role it is, for people. */
  readonly subject: string;
  /** What the answer says of the key. Throws where there is none. */
  get(): Promise<unknown>;
}

/** One question, which is not redirected. */
export type MetadataRequest = (url: string, init: RequestInit, ms?: number) => Promise<Response>;

/** Elsewhere than at Amazon nobody answers there, often not even that there is nobody. */
const machineTimeoutMs = 1000;
const machineAddress = 'http://169.254.169.254';
const containerAddress = 'http://169.254.170.2';

/** By the token that Kubernetes gives a pod; null: it gives none. */
export function podRole(
  ask: MetadataRequest,
  env: AwsEnvironment,
  region: string,
): RoleProvider | null {
  const { AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: file } = env;
  if (!role || !file) return null;
  const amazons = `https://sts.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  return {
    subject: 'this pod',
    get: async () => {
      const body = new URLSearchParams({
        Action: 'AssumeRoleWithWebIdentity',
        Version: '2011-06-15',
        RoleArn: role,
        RoleSessionName: 'trove',
        WebIdentityToken: (await readFile(file, 'utf8')).trim(),
      });
      const headers = { accept: 'application/json' };
      const url = `${env['AWS_ENDPOINT_URL_STS'] || amazons}/`;
      const said = await requestJson(ask, url, { method: 'POST', body, headers });
      const names = ['AssumeRoleWithWebIdentityResponse', 'AssumeRoleWithWebIdentityResult'];
      return [...names, 'Credentials'].reduce<unknown>((value, name) => Object(value)[name], said);
    },
  };
}

/** As ECS and EKS have it; null: they do not. */
export function containerRole(ask: MetadataRequest, env: AwsEnvironment): RoleProvider | null {
  const path = env['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'];
  const url = path ? `${containerAddress}${path}` : env['AWS_CONTAINER_CREDENTIALS_FULL_URI'];
  if (!url) return null;
  return {
    subject: 'this container',
    get: async () => {
      const file = env['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'];
      const token = file ? await readFile(file, 'utf8') : env['AWS_CONTAINER_AUTHORIZATION_TOKEN'];
      const headers = token === undefined ? {} : { authorization: token.trim() };
      return requestJson(ask, url, { headers });
    },
  };
}

/** As EC2 has it; null: this is no machine of Amazon's, or has no role. */
export async function findMachineRole(
  ask: MetadataRequest,
  env: AwsEnvironment,
): Promise<RoleProvider | null> {
  if (env['AWS_EC2_METADATA_DISABLED']?.toLowerCase() === 'true') return null;
  const base = (env['AWS_EC2_METADATA_SERVICE_ENDPOINT'] || machineAddress).replace(/\/+$/, '');
  const wanted = {
    method: 'PUT',
    headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '60' },
  };
  const token = await readText(ask(`${base}/latest/api/token`, wanted, machineTimeoutMs));
  if (token === null) return null;
  const roles = `${base}/latest/meta-data/iam/security-credentials/`;
  const headers = { 'x-aws-ec2-metadata-token': token };
  const [role] = (await readText(ask(roles, { headers })))?.split('\n') ?? [];
  return role
    ? { subject: 'this machine', get: () => requestJson(ask, roles + role, { headers }) }
    : null;
}

async function readText(asked: Promise<Response>): Promise<string | null> {
  const answer = await asked.catch(() => null);
  return answer?.ok === true ? answer.text() : null;
}

async function requestJson(ask: MetadataRequest, url: string, init: RequestInit): Promise<unknown> {
  const answer = await ask(url, init);
  if (!answer.ok) throw new Error(`${new URL(url).host} answers HTTP ${answer.status}.`);
  return answer.json();
}
