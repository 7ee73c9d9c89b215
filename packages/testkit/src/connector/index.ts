import { browseCases } from './browse-cases.js';
import { changesCases } from './changes-cases.js';
import { selectCases, type ConnectorCase, type CaseSelection } from './connector-case.js';
import { contextCases } from './context-cases.js';
import { grepCases } from './grep-cases.js';
import { grepRecordsCases } from './grep-records-cases.js';
import { healthCases } from './health-cases.js';
import { identityCases } from './identity-cases.js';
import { listCases } from './list-cases.js';
import { pluginCases } from './plugin-cases.js';
import { readCases } from './read-cases.js';
import { recordChangesCases } from './record-changes-cases.js';
import { recordsCases } from './records-cases.js';
import { resumeCases } from './resume-cases.js';
import type { ConnectorSubject } from './subject.js';
import { watchCases } from './watch-cases.js';

export { configFor } from './config.js';
export { connectorContext, pluginContext, testWorkers } from './context.js';
export type { ConnectorCase, CaseSelection } from './connector-case.js';
export type { ConnectorNeed, ConnectorSubject, KnownObject } from './subject.js';

/** All cases for connectors. A case for an optional method fails without that method. */
export const connectorCases: readonly ConnectorCase[] = [
  ...pluginCases,
  ...listCases,
  ...readCases,
  ...recordsCases,
  ...browseCases,
  ...grepCases,
  ...grepRecordsCases,
  ...identityCases,
  ...changesCases,
  ...resumeCases,
  ...recordChangesCases,
  ...watchCases,
  ...contextCases,
  ...healthCases,
];

/** Returns the cases for this subject, and the missing need of each other case. */
export function selectConnectorCases(subject: ConnectorSubject): Promise<CaseSelection> {
  return selectCases(connectorCases, subject);
}
