import { parseUri, TroveError } from '@trove/core';

/** What a target names: a tenant, or one page of it. */
export interface FeishuLocation {
  /** `acme.feishu.cn` */
  readonly host: string;
  readonly kind: 'tenant' | 'wiki' | 'docx' | 'folder';
  /** The token in the link. Empty for a tenant. */
  readonly token: string;
}

const linkKinds: Readonly<Record<string, FeishuLocation['kind']>> = {
  wiki: 'wiki',
  docx: 'docx',
  'drive/folder': 'folder',
};

/** Reads `feishu://acme`, or a link such as `feishu://acme.feishu.cn/wiki/TOKEN`. Throws `validation_error` for others. */
export function locatePage(target: string): FeishuLocation {
  const { authority, path } = parseUri(target);
  const host = authority.includes('.') ? authority : `${authority}.feishu.cn`;
  const steps = path.split('/').filter((step) => step !== '');
  if (steps.length === 0) return { host, kind: 'tenant', token: '' };
  const { [steps.slice(0, -1).join('/')]: kind } = linkKinds;
  const token = steps.at(-1) ?? '';
  if (kind !== undefined && /^\w+$/.test(token)) return { host, kind, token };
  throw new TroveError('validation_error', 'target: must name a tenant, or the link of a page', {
    suggestions: [
      'Write it like feishu://acme, or feishu://acme.feishu.cn/wiki/TOKEN, /docx/TOKEN or /drive/folder/TOKEN.',
    ],
  });
}

/** Returns the address of the API for a tenant. */
export function apiOf({ host }: FeishuLocation): string {
  return host.endsWith('larksuite.com') ? 'https://open.larksuite.com' : 'https://open.feishu.cn';
}
