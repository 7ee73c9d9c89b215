import type { Connector } from '@trove/core';

import type { ConformanceCase } from '../case.js';
import { expect } from '../expect.js';
import { missingNeed } from './needs.js';
import { callTimeoutMs, withConnector } from './open.js';
import type { ConnectorNeed, ConnectorSubject } from './subject.js';

export interface ConnectorCase extends ConformanceCase<ConnectorSubject> {
  /** What the case requires. Without it, the case fails. */
  readonly needs: readonly ConnectorNeed[];
}

type ConnectorCheck = (connector: Connector, subject: ConnectorSubject) => Promise<void>;

/** Returns a case for an open connector. */
export function connectorCase(
  id: string,
  title: string,
  needs: readonly ConnectorNeed[],
  check: ConnectorCheck,
): ConnectorCase {
  return {
    id,
    title,
    needs,
    run: (subject) =>
      withConnector(subject, async (connector) => {
        const missing = missingNeed(subject, connector, needs);
        if (missing !== null) throw new Error(missing);
        await withTimeout(check(connector, subject), id);
      }),
  };
}

/** Rejects when a promise does not settle in time. */
export async function withTimeout<T>(
  promise: Promise<T>,
  what: string,
  limit = callTimeoutMs,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`${what}: nothing happened for ${limit} ms`));
    }, limit);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The cases for a subject, and the reasons for skipping others. */
export interface CaseSelection {
  readonly cases: readonly ConnectorCase[];
  readonly skipped: readonly { readonly id: string; readonly reason: string }[];
}

/** Selects the cases whose needs this subject and its connector meet. */
export async function selectCases(
  cases: readonly ConnectorCase[],
  subject: ConnectorSubject,
): Promise<CaseSelection> {
  return withConnector(subject, async (connector) => {
    const reasons = cases.map((each) => ({
      each,
      reason: missingNeed(subject, connector, each.needs),
    }));
    const selected = reasons.filter(({ reason }) => reason === null).map(({ each }) => each);
    expect(selected.length > 0, 'no case can run');
    const skipped = reasons.flatMap(({ each, reason }) =>
      reason === null ? [] : [{ id: each.id, reason }],
    );
    return { cases: selected, skipped };
  });
}
