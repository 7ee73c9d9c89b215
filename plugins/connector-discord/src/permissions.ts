import type { DiscordChannel, DiscordRole, Overwrite } from './forms.js';

const administrator = 1n << 3n;
const viewChannel = 1n << 10n;
const readHistory = 1n << 16n;

/** The bot in the server: its id, and those of its roles. */
export interface BotMember {
  readonly id: string;
  readonly roles: readonly string[];
}

/** Whether a bot may read the messages of a channel. `guild`: the id of the server, which is also that of the role of everyone. */
export function mayRead(
  { permission_overwrites: overwrites = [] }: DiscordChannel,
  roles: readonly DiscordRole[],
  bot: BotMember,
  guild: string,
): boolean {
  const own = roles.filter(({ id }) => id === guild || bot.roles.includes(id));
  const base = own.reduce((all, { permissions }) => all | BigInt(permissions), 0n);
  if ((base & administrator) !== 0n) return true;
  const everyone = overwrites.filter(({ id }) => id === guild);
  const ofRoles = overwrites.filter(({ id, type }) => type === 0 && bot.roles.includes(id));
  const ofBot = overwrites.filter(({ id, type }) => type === 1 && id === bot.id);
  const rights = [everyone, ofRoles, ofBot].reduce(applied, base);
  return (rights & viewChannel) !== 0n && (rights & readHistory) !== 0n;
}

/** Returns the rights after the overwrites of one level. If they deny and allow the same right, it is allowed. */
function applied(rights: bigint, overwrites: readonly Overwrite[]): bigint {
  const union = (member: 'allow' | 'deny'): bigint =>
    overwrites.reduce((all, overwrite) => all | BigInt(overwrite[member]), 0n);
  return (rights & ~union('deny')) | union('allow');
}
