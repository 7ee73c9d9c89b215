import { defineCommand } from 'citty';
import { connectorAdd } from './connector-add.js';
import { connectorList } from './connector-list.js';

export const connector = defineCommand({
  meta: {
    name: 'trove-server connector',
    description: 'Sources, set up on the machine of the server',
  },
  subCommands: { add: connectorAdd, list: connectorList },
});
