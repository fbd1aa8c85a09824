import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { valuesOf } from '../../kernel/log/persistent-collections.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { refuseInput } from '../../kernel/operation/input.ts';
import { isBuilder, type Role } from '../../kernel/roles.ts';
import type { SessionDraft } from '../catalog.ts';
import { BuilderRole, text } from '../fields.ts';
import { pickOf } from '../listing.ts';
import { type Followup, FollowupKind, type Followups, FollowupView, nextId } from './state.ts';

/** Maximum number of follow-ups that each role notes in a session. A new session takes at most 200 requirements. */
const MAX_FOLLOWUPS = 200;

const NewFollowup = z.strictObject({
  kind: FollowupKind,
  text: text(2_000),
  side: BuilderRole.optional().describe('Who has to do it; default you.'),
});

const NewFollowups = z
  .array(NewFollowup)
  .max(10)
  .describe('Work for later.')
  .register(documented, { id: 'NewFollowups' });

/** The member of a call of an agent in which it notes follow-ups. They are stored with the call, or not at all. */
export const NOTED = {
  followups: NewFollowups.optional(),
};

type Noted = z.output<typeof NewFollowup>;

interface Noting {
  readonly role: Role;
  /** The record that the call is about. */
  readonly origin?: { readonly type: string; readonly id: string };
  /** Number of the records that other events of the same call add before these. */
  readonly ahead?: number;
}

/**
 * The events of follow-ups. A role that repeats a text of its own for the same side adds nothing.
 * @throws ParleyError LIMIT_EXCEEDED if the role would have more than 200
 */
export function followupDrafts(
  followups: Followups,
  noted: readonly Noted[] = [],
  { role, origin, ahead = 0 }: Noting,
): SessionDraft[] {
  if (noted.length === 0) return [];
  const own = notedBy(followups, role);
  const known = new Set(own.map(keyOf));
  const added = noted
    .map(({ side, ...said }, index) => ({ ...said, side: side ?? sideOf(role, index) }))
    .filter((one) => !known.has(keyOf(one)) && known.add(keyOf(one)));
  if (own.length + added.length > MAX_FOLLOWUPS)
    fail('LIMIT_EXCEEDED', `You have noted ${own.length} follow-ups, and the limit is ${MAX_FOLLOWUPS}.`, {
      limit: MAX_FOLLOWUPS,
      hint: role === 'owner' ? 'Note it in the next session.' : 'Send the call again with fewer followups, or none.',
    });
  return added.map(({ side, kind, text }, index) => ({
    kind: 'followup.noted',
    data: { followup_id: nextId(followups.all.size + ahead + index), side, kind, text, ...(origin && { origin }) },
  }));
}

const notedBy = ({ all }: Followups, role: Role): Followup[] =>
  valuesOf(all).filter(({ by, ofVerdict }) => by === role && !ofVerdict);

/** The follow-up of a role with this side, kind and text. */
export const followupOf = (followups: Followups, role: Role, noted: Required<Noted>): Followup | undefined =>
  notedBy(followups, role).find((one) => keyOf(one) === keyOf(noted));

const keyOf = ({ side, kind, text }: Required<Noted>): string => `${side} ${kind} ${text}`;

const sideOf = (role: Role, index: number) =>
  isBuilder(role)
    ? role
    : refuseInput([{ path: `followups[${index}].side`, message: 'Is required: you have no repository.' }]);

export const viewFollowup = pickOf(FollowupView);
