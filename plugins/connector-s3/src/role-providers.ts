import { readFile } from 'node:fs/promises';

import type { AwsEnvironment } from './profile.js';

/** Provides the credentials of a role. */
export interface RoleProvider {
  /** Name of the owner of the role, for messages. */
  readonly subject: string;
  /** Requests the credentials. Throws if there are none. */
  get(): Promise<unknown>;
}

/** Sends one request, which must not be redirected. */
export type MetadataRequest = (url: string, init: RequestInit, ms?: number) => Promise<Response>;

/** Short, because requests to the metadata address usually hang outside AWS. */
const machineTimeoutMs = 1000;
const machineAddress = 'http://169.254.169.254';
const containerAddress = 'http://169.254.170.2';

/** Returns the provider for the token of a Kubernetes pod; null without a token. */
export function podRole(
  request: MetadataRequest,
  env: AwsEnvironment,
  region: string,
): RoleProvider | null {
  const { AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: file } = env;
  if (!role || !file) return null;
  const amazonUrl = `https://sts.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
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
      const url = `${env['AWS_ENDPOINT_URL_STS'] || amazonUrl}/`;
      const response = await requestJson(request, url, { method: 'POST', body, headers });
      const names = ['AssumeRoleWithWebIdentityResponse', 'AssumeRoleWithWebIdentityResult'];
      return [...names, 'Credentials'].reduce<unknown>(
        (value, name) => Object(value)[name],
        response,
      );
    },
  };
}

/** Returns the provider for a container of ECS or EKS; null outside those. */
export function containerRole(request: MetadataRequest, env: AwsEnvironment): RoleProvider | null {
  const path = env['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'];
  const url = path ? `${containerAddress}${path}` : env['AWS_CONTAINER_CREDENTIALS_FULL_URI'];
  if (!url) return null;
  return {
    subject: 'this container',
    get: async () => {
      const file = env['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'];
      const token = file ? await readFile(file, 'utf8') : env['AWS_CONTAINER_AUTHORIZATION_TOKEN'];
      const headers = token === undefined ? {} : { authorization: token.trim() };
      return requestJson(request, url, { headers });
    },
  };
}

/** Returns the provider for a machine of EC2; null for other machines and without a role. */
export async function findMachineRole(
  request: MetadataRequest,
  env: AwsEnvironment,
): Promise<RoleProvider | null> {
  if (env['AWS_EC2_METADATA_DISABLED']?.toLowerCase() === 'true') return null;
  const base = (env['AWS_EC2_METADATA_SERVICE_ENDPOINT'] || machineAddress).replace(/\/+$/, '');
  const options = {
    method: 'PUT',
    headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '60' },
  };
  const token = await readText(request(`${base}/latest/api/token`, options, machineTimeoutMs));
  if (token === null) return null;
  const roles = `${base}/latest/meta-data/iam/security-credentials/`;
  const headers = { 'x-aws-ec2-metadata-token': token };
  const [role] = (await readText(request(roles, { headers })))?.split('\n') ?? [];
  return role
    ? { subject: 'this machine', get: () => requestJson(request, roles + role, { headers }) }
    : null;
}

async function readText(pending: Promise<Response>): Promise<string | null> {
  const response = await pending.catch(() => null);
  return response?.ok === true ? response.text() : null;
}

async function requestJson(
  request: MetadataRequest,
  url: string,
  init: RequestInit,
): Promise<unknown> {
  const response = await request(url, init);
  if (!response.ok) throw new Error(`${new URL(url).host} answers HTTP ${response.status}.`);
  return response.json();
}
