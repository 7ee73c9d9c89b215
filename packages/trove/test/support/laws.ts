import type { SyncLaw } from '@trove/test-support/sync-law.js';

import { law as airtable } from '../../../../plugins/connector-airtable/test/law.js';
import { law as asana } from '../../../../plugins/connector-asana/test/law.js';
import { law as azure } from '../../../../plugins/connector-azure/test/law.js';
import { law as bigquery } from '../../../../plugins/connector-bigquery/test/law.js';
import { law as confluence } from '../../../../plugins/connector-confluence/test/law.js';
import { law as discord } from '../../../../plugins/connector-discord/test/law.js';
import { law as feishu } from '../../../../plugins/connector-feishu/test/law.js';
import { law as file } from '../../../../plugins/connector-file/test/law.js';
import { law as gdrive } from '../../../../plugins/connector-gdrive/test/law.js';
import { law as git, remoteLaw as remoteGit } from '../../../../plugins/connector-git/test/law.js';
import { law as github } from '../../../../plugins/connector-github/test/law.js';
import { law as gitlab } from '../../../../plugins/connector-gitlab/test/law.js';
import { law as gmail } from '../../../../plugins/connector-gmail/test/law.js';
import { law as hubspot } from '../../../../plugins/connector-hubspot/test/law.js';
import { law as intercom } from '../../../../plugins/connector-intercom/test/law.js';
import { law as jira } from '../../../../plugins/connector-jira/test/law.js';
import { law as linear } from '../../../../plugins/connector-linear/test/law.js';
import { imapLaw as imap, law as mbox } from '../../../../plugins/connector-mail/test/law.js';
import { law as mongo } from '../../../../plugins/connector-mongo/test/law.js';
import { laws as graph } from '../../../../plugins/connector-msgraph/test/law.js';
import { law as mysql } from '../../../../plugins/connector-mysql/test/law.js';
import { law as notion } from '../../../../plugins/connector-notion/test/law.js';
import { law as postgres } from '../../../../plugins/connector-postgres/test/law.js';
import { law as rest } from '../../../../plugins/connector-rest/test/law.js';
import { law as rss } from '../../../../plugins/connector-rss/test/law.js';
import { laws as buckets } from '../../../../plugins/connector-s3/test/law.js';
import { law as sftp } from '../../../../plugins/connector-sftp/test/law.js';
import { law as slack } from '../../../../plugins/connector-slack/test/law.js';
import { law as snowflake } from '../../../../plugins/connector-snowflake/test/law.js';
import { law as sqlite } from '../../../../plugins/connector-sqlite/test/law.js';
import { law as site, namedLaw as namedSite } from '../../../../plugins/connector-web/test/law.js';
import { law as webdav } from '../../../../plugins/connector-webdav/test/law.js';
import { law as zendesk } from '../../../../plugins/connector-zendesk/test/law.js';

/** The law of syncs for every connector of the catalogue. */
export const laws: readonly SyncLaw[] = [
  ...buckets,
  ...graph,
  airtable,
  asana,
  azure,
  bigquery,
  confluence,
  discord,
  feishu,
  file,
  gdrive,
  git,
  github,
  gitlab,
  gmail,
  hubspot,
  imap,
  intercom,
  jira,
  linear,
  mbox,
  mongo,
  mysql,
  namedSite,
  notion,
  postgres,
  remoteGit,
  rest,
  rss,
  sftp,
  site,
  slack,
  snowflake,
  sqlite,
  webdav,
  zendesk,
];
