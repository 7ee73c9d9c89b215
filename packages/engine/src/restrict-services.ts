import type { Access } from './api/access.js';
import type { Services } from './compose.js';
import { syncPermission, type AssertMaySync } from './sources/registration/sync-permission.js';

/** The services as one caller may use them. */
export interface CallerServices extends Services {
  readonly assertMaySync: AssertMaySync;
}

/** Returns the services that answer a caller with this access. */
export function restrictServices(services: Services, access: Access): CallerServices {
  return { ...services, assertMaySync: syncPermission(access, services.connectors) };
}
