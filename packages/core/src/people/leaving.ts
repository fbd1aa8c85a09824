import { z } from 'zod';
import { STEPS_WITH_APPROVERS } from '../areas/approvals/events.ts';
import { AgentRole, At, PersonRoleName } from '../areas/fields.ts';
import { valuesOf } from '../kernel/log/persistent-collections.ts';
import { refuseInput } from '../kernel/operation/input.ts';
import { namedObject } from '../kernel/operation/json-schema.ts';
import { type Acting, hasRightsOf, type PersonRole } from '../kernel/person.ts';
import { humanOf, type KnownPerson, type PeopleState, standsAs, unrevoked } from './state.ts';

/** Maximum number of entries of a kind that an answer lists. */
export const MAX_LEFT_SHOWN = 100;

const place = { session_id: z.string(), title: z.string() };

/** A code or a token. `prefix` is its first 10 characters; `ended` says whether this call ended it. */
const InvitedAccess = namedObject('InvitedAccess', {
  ...place,
  role: AgentRole,
  prefix: z.string(),
  expires_at: At,
  ended: z.boolean(),
});

const PersonLeft = namedObject('PersonLeft', { person_id: z.string(), name: z.string(), role: PersonRoleName });

/** What people leave behind who have lost their rights. */
export const LeftBehind = namedObject('LeftBehind', {
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
export type LeftBehind = z.output<typeof LeftBehind>;
type PersonLeft = z.output<typeof PersonLeft>;

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

interface Left {
  readonly left?: LeftBehind;
}

/** What the calls that take rights from people have in common. */
export interface Leaving {
  /**
   * Refuses to end access in a call after which the caller may not end it, or the person may still give it.
   *
   * @param role the role that the person will have; left out: none
   * @throws ParleyError INVALID_INPUT
   */
  check(ends: boolean | undefined, personId: string, role?: PersonRole): void;
  /** Finds what a person leaves behind in this state, also under earlier ids of the same company account, and ends the access that the person gave if `ends` is true. */
  ofPerson(state: PeopleState, person: KnownPerson, ends: boolean | undefined): Promise<Left>;
  /** The same for everybody of a closed account. */
  ofAccount(accountId: string, ends: boolean | undefined): Promise<Left>;
}

/** @param find if left out, the answers do not say what people leave behind, and no access can be ended */
export function createLeaving(find: FindLeft | undefined, { person: caller }: Acting): Leaving {
  const leftBy = async (gone: Parameters<FindLeft>[0], ends = false): Promise<Left> =>
    find ? { left: await find(gone, ends) } : {};
  return {
    check(ends, personId, role) {
      if (!ends) return;
      if (role !== undefined && hasRightsOf(role, 'operator'))
        refuseEnding(`An ${role} may invite agents, so their access stays. Leave end_access out.`);
      if (caller?.id === personId)
        refuseEnding('After this call you may not end access. Ask another approver to make it.');
    },
    async ofPerson(state, { id, accountId, subject }, ends) {
      const personIds = [id, ...earlierIds(state, subject, id)];
      const mayApprove = standsAs(state, id, 'approver');
      const gone = { accountId, personIds, mayApprove, mayInvite: standsAs(state, id, 'operator') };
      const { left } = await leftBy(gone, ends);
      if (!left || mayApprove) return { ...(left && { left }) };
      const people = addedBy(state, personIds);
      const same = sameHuman(state, id);
      return {
        left: {
          ...left,
          ...(people.length > 0 ? { people } : {}),
          ...(same.length > 0 ? { same_person: same } : {}),
        },
      };
    },
    ofAccount: (accountId, ends) => leftBy({ accountId, mayApprove: false, mayInvite: false }, ends),
  };
}

/** The ids that the company account of a person had before. They cannot sign in any more. */
const earlierIds = ({ people }: PeopleState, subject: string | undefined, id: string): readonly string[] =>
  subject === undefined
    ? []
    : valuesOf(people).flatMap((one) => (one.subject === subject && one.id !== id && one.revoked ? [one.id] : []));

/** The people who can sign in with keys that these people have seen, because they added them. */
const addedBy = (state: PeopleState, personIds: readonly string[]): PersonLeft[] =>
  listed(unrevoked(state).filter(({ key, added }) => key && added.by && personIds.includes(added.by.id)));

/** The other ids of the same human, such as a key beside a company account, that can sign in. */
const sameHuman = (state: PeopleState, personId: string): PersonLeft[] =>
  listed(unrevoked(state).filter(({ id }) => id !== personId && humanOf(state, id) === humanOf(state, personId)));

const listed = (people: readonly KnownPerson[]): PersonLeft[] =>
  people.map(({ id, name, role }) => ({ person_id: id, name, role }));

const refuseEnding = (message: string): never => refuseInput([{ path: 'end_access', message }]);
