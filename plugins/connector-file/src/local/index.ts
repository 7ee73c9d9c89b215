/*
 * What a program needs to see the files of this machine as the connector does, without opening one: the command line, which
 * sends them to a server elsewhere.
 */

export { localFiles, explainLeftOut, type LocalFiles } from './local-files.js';
export { machineId } from './machine-id.js';
