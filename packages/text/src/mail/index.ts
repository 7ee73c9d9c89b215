export { headerText } from './header.js';
export { endOfHeader, structureOf, type MailLeaf, type MailStructure } from './structure.js';
export { decodeTransfer, encodeBase64, textOfPart } from './transfer.js';
