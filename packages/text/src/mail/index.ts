export { headerText } from './header.js';
export { endOfHeader, structureOf, type Leaf, type Structure } from './structure.js';
export { decoded, oneLine, textOfPart } from './transfer.js';
