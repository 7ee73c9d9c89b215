import type { SourceSetup } from '@trove/core';

import { allBases } from './bases.js';

/** The id of a base, alone or in the address of one of its pages. A table is part of the answer only if it is written as `app…/tbl…`. */
const answer = /^(?:https:\/\/airtable\.com\/(app\w+)(?:[/?#].*)?|(app\w+(?:\/tbl\w+)?)|(all))$/;

export const setup: SourceSetup = {
  address: {
    ask: `Address of the base (https://airtable.com/app…), or "${allBases}"`,
    read(text) {
      const [, page, id, all] = answer.exec(text.trim()) ?? [];
      const address = page ?? id ?? all;
      return address === undefined
        ? `Open the base in a browser and copy its address: https://airtable.com/app…. Enter "${allBases}" for all bases of the token.`
        : { address };
    },
  },
  questions: [
    {
      setting: 'token',
      ask: 'Personal access token (pat…)',
      help: 'Create a token at https://airtable.com/create/tokens with the scopes data.records:read, schema.bases:read and data.recordComments:read. Under "Access", add the bases.',
    },
  ],
};
