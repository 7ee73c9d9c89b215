/* Lists files of this machine like the connector, without opening a source. The command line uses it for uploads. */

export { localFiles, explainLeftOut, type LocalFiles } from './local-files.js';
export { machineId } from './machine-id.js';
