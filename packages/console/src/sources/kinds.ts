/** Kinds of sources with a name for people. Other kinds show their scheme. */
const names: Readonly<Record<string, string>> = {
  azure: 'Azure Blob Storage',
  bigquery: 'BigQuery',
  confluence: 'Confluence',
  discord: 'Discord',
  feishu: 'Feishu',
  file: 'Folder or file of the server',
  gdrive: 'Google Drive',
  'git+file': 'Git repository in a folder',
  'git+https': 'Git repository over HTTPS',
  github: 'GitHub',
  gitlab: 'GitLab',
  gmail: 'Gmail',
  gs: 'Google Cloud Storage',
  https: 'Web site',
  hubspot: 'HubSpot',
  imaps: 'Mailbox (IMAP)',
  intercom: 'Intercom',
  jira: 'Jira',
  lark: 'Lark',
  linear: 'Linear',
  mariadb: 'MariaDB',
  mbox: 'Mail files',
  mongodb: 'MongoDB',
  mysql: 'MySQL',
  notion: 'Notion',
  onedrive: 'OneDrive',
  outlook: 'Outlook',
  postgres: 'PostgreSQL',
  rest: 'Web API',
  rss: 'News feed (RSS, Atom)',
  s3: 'Amazon S3 and compatible buckets',
  sftp: 'Folder of another machine (SFTP)',
  sharepoint: 'SharePoint',
  slack: 'Slack',
  snowflake: 'Snowflake',
  sqlite: 'SQLite',
  webdav: 'WebDAV (Nextcloud, ownCloud)',
  zendesk: 'Zendesk',
};

/** Returns the kinds for a choice: named ones by name, then the others. */
export function kindsOf(schemes: readonly string[]): (readonly [scheme: string, name: string])[] {
  const kinds = schemes.map((scheme) => [scheme, names[scheme] ?? scheme] as const);
  return kinds.sort(
    ([a, first], [b, second]) => rankOf(a) - rankOf(b) || first.localeCompare(second),
  );
}

function rankOf(scheme: string): number {
  if (scheme === 'file') return 0;
  return scheme in names ? 1 : 2;
}

/** Returns the target of a source from its kind and the answer of a person, which may be the whole URI. */
export function targetOf(scheme: string, address: string): string {
  const text = address.trim();
  return scheme === 'file' || text.startsWith(`${scheme}:`) ? text : `${scheme}://${text}`;
}
