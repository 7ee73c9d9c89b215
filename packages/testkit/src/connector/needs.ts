import type { Connector, ConnectorCapabilities } from '@trove/core';

import { recordTexts, texts } from './contents.js';
import type { ConnectorNeed, ConnectorSubject } from './subject.js';

/** Needs that capabilities declare. */
type CapabilityNeed = Extract<
  ConnectorNeed,
  'since' | 'paths' | 'threads' | 'keysOnly' | `grep.${string}`
>;
/** Needs of content in the subject's objects. */
type ContentNeed = Extract<ConnectorNeed, 'texts' | 'recordTexts'>;
type SubjectNeed = Extract<ConnectorNeed, keyof ConnectorSubject>;

/** Returns the first need that this subject or its connector lacks, or null. */
export function missingNeed(
  subject: ConnectorSubject,
  connector: Connector,
  needs: readonly ConnectorNeed[],
): string | null {
  for (const need of needs) {
    if (isCapability(need)) {
      if (!hasCapability(connector.capabilities ?? subject.plugin.capabilities, need))
        return `the capabilities do not have \`${need}\``;
    } else if (isContentNeed(need)) {
      if (!hasContent(subject, need)) return contentReasons[need];
    } else if (isSubjectNeed(need)) {
      if (subject[need] === undefined) return `the subject has no \`${need}\``;
    } else if (connector[need] === undefined) return `the connector has no \`${need}\``;
  }
  return null;
}

const contentReasons: Readonly<Record<ContentNeed, string>> = {
  texts: 'the subject has no text of three lines or more',
  recordTexts: 'the subject has no record with a word in its fields',
};

function hasContent(subject: ConnectorSubject, need: ContentNeed): boolean {
  if (need === 'recordTexts') return recordTexts(subject).length > 0;
  return texts(subject).some(({ lines }) => lines.length >= 3);
}

function hasCapability(
  capabilities: ConnectorCapabilities | undefined,
  need: CapabilityNeed,
): boolean {
  if (need === 'since' || need === 'paths' || need === 'threads' || need === 'keysOnly')
    return capabilities?.[need] === true;
  return Object.entries(capabilities?.grep ?? {}).some(
    ([name, understood]) => need === `grep.${name}` && understood,
  );
}

function isCapability(need: ConnectorNeed): need is CapabilityNeed {
  return ['since', 'paths', 'threads', 'keysOnly'].includes(need) || need.startsWith('grep.');
}

function isContentNeed(need: ConnectorNeed): need is ContentNeed {
  return need in contentReasons;
}

function isSubjectNeed(need: ConnectorNeed): need is SubjectNeed {
  const ofSubject: readonly string[] = [
    'refused',
    'coupled',
    'change',
    'remove',
    'changeRecords',
    'checkpoints',
    'addReply',
    'moveFolder',
    'expireCursors',
    'replaceCredential',
    'expireAccess',
    'emptyTarget',
    'unreachable',
    'secret',
  ];
  return ofSubject.includes(need);
}
