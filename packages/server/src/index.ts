export { startHost, type Host, type HostOptions } from './host.js';
export type { Limits } from './http/limits.js';
export { resolveAuth, type Auth } from './auth/auth.js';
export { parseBind, type Bind } from './config/bind.js';
export { openApiDocument } from './openapi/document.js';
export type { Method, RawInput, Route, RouteFacts, Tag } from './routes/route.js';
