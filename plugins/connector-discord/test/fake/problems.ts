import type { FakeAnswer } from '@trove/connector-kit/http/fake';

/** The service's form of an error. */
export function problem(status: number, code: number, message: string): FakeAnswer {
  return { status, json: { message, code } };
}

export const unknownChannel = problem(404, 10_003, 'Unknown Channel');
export const unknownGuild = problem(404, 10_004, 'Unknown Guild');
export const unknownMember = problem(404, 10_007, 'Unknown Member');
export const unknownMessage = problem(404, 10_008, 'Unknown Message');
export const missingAccess = problem(403, 50_001, 'Missing Access');
export const wrongChannelType = problem(400, 50_024, 'Cannot execute action on this channel type');
export const invalidBody = problem(400, 50_035, 'Invalid Form Body');
