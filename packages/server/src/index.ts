export { startHost, type Host, type HostOptions } from './host.js';
export type { HostLimits } from './http/limits.js';
export { resolveAuth, type Auth } from './auth/auth.js';
export { parseBind, type HostAddress } from './config/bind.js';
export { route, type Handler, type RawInput, type Route } from './routes/route.js';
export { apiRoutes, type GraphRouteOptions } from './routes/table.js';
