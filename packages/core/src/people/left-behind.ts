import { z } from 'zod';
import { STEPS_WITH_APPROVERS } from '../areas/approvals/events.ts';
import { AgentRole, At, PersonRoleName } from '../areas/fields.ts';
import { documented } from '../kernel/operation/documented.ts';

/** Maximum number of entries of a kind that an answer lists. */
export const MAX_LEFT_SHOWN = 100;

const place = { session_id: z.string(), title: z.string() };

/** A code or a token. `prefix` is its first 10 characters; `ended` says whether this call ended it. */
const InvitedAccess = z.strictObject({
  ...place,
  role: AgentRole,
  prefix: z.string(),
  expires_at: At,
  ended: z.boolean(),
});
documented.add(InvitedAccess, { id: 'InvitedAccess' });

const PersonLeft = z.strictObject({ person_id: z.string(), name: z.string(), role: PersonRoleName });
documented.add(PersonLeft, { id: 'PersonLeft' });

/** What people leave behind who have lost their rights. */
export const LeftBehind = z.strictObject({
  approvals: z
    .array(z.strictObject({ ...place, stage: z.enum(STEPS_WITH_APPROVERS) }))
    .describe('Of steps that are not taken; they do not count.'),
  invitations: z.array(InvitedAccess).describe('Codes not redeemed; they are refused.'),
  tokens: z.array(InvitedAccess).describe('Valid until they expire.'),
  people: z.array(PersonLeft).optional().describe('Added by the person, who has seen their keys; absent if none.'),
  same_person: z
    .array(PersonLeft)
    .optional()
    .describe('The other ids of the same human that can still sign in; absent if none.'),
  more: z
    .strictObject({ approvals: z.int(), invitations: z.int(), tokens: z.int() })
    .describe(`Not listed: beyond ${MAX_LEFT_SHOWN}, or of another account.`),
  ended: z.int().describe('Codes and tokens that this call ended.'),
  failed: z.int().describe('Sessions not read or changed: repeat the call.'),
});
documented.add(LeftBehind, { id: 'LeftBehind' });
export type LeftBehind = z.output<typeof LeftBehind>;
export type PersonLeft = z.output<typeof PersonLeft>;

/** People of an account who have lost rights. */
export interface Gone {
  readonly accountId: string;
  /** Ids of the people. Left out: everybody of the account. */
  readonly personIds?: readonly string[] | undefined;
  /** Whether their approvals still count. */
  readonly mayApprove: boolean;
  /** Whether they may still invite agents. */
  readonly mayInvite: boolean;
}

/** Finds what people have left behind, and ends the access that they gave to agents if `ends` is true. */
export type FindLeft = (gone: Gone, ends: boolean) => Promise<LeftBehind>;
