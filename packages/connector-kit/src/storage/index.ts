export { createObjectConnector, type ObjectConnectorOptions } from './object-connector.js';
export { keyOf, pathOf, problemOf, rootKeyOf } from './object-keys.js';
export type {
  ObjectQuery,
  ObjectStoreClient,
  StoredObject,
  StoredObjectPage,
} from './object-store.js';
export { rangeContentOf, rangeHeader, rangeNotSatisfiable } from './range-response.js';
export { XmlReader, type OnText } from './xml.js';
