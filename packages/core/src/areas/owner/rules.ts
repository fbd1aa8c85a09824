import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { LOG_FAULTS } from '../../kernel/log/event.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import { PERMISSIONS } from '../../kernel/roles.ts';
import { BuilderRole, LogHead, Reason } from '../fields.ts';
import { PHASES } from '../session/events.ts';
import { type Phase, STATUSES, type Status } from '../session/state.ts';
import type { SessionState } from '../state.ts';

export function requireStatus(
  { profile: { status } }: SessionState,
  operation: string,
  ...allowed: readonly Status[]
): void {
  if (allowed.includes(status)) return;
  fail(
    'INVALID_TRANSITION',
    `${operation} works in sessions that are ${allowed.join(' or ')}; this session is ${status}.`,
    {
      status,
      allowed_statuses: [...allowed],
    },
  );
}

export const requireOpen = (state: SessionState, operation: string): void =>
  requireStatus(state, operation, 'DRAFT', 'ACTIVE', 'PAUSED');

export function requirePhase(
  { profile: { phase } }: SessionState,
  operation: string,
  ...allowed: readonly Phase[]
): void {
  if (allowed.includes(phase)) return;
  fail('INVALID_TRANSITION', `${operation} works in ${allowed.join(' and ')}; the session is in ${phase}.`, {
    phase,
    allowed_phases: [...allowed],
  });
}

/**
 * Refuses a repeated call that changes nothing but says something, which would be lost.
 *
 * @param said the member of the call that would be lost, such as `reason`
 * @param stands what the first call has done, in words before "already"
 */
export function refuseToDrop(said: string, stands: string, hint: string): never {
  return fail('INVALID_TRANSITION', `${stands} already: nothing changes, and your ${said} is not stored.`, { hint });
}

export function requireEntitled({ access }: SessionState): void {
  if (access.isModeratorEntitled) return;
  fail(
    'MODERATOR_NOT_ENTITLED',
    'You do not admit moderators. Call setModeratorEntitlement with entitled: true, then invite the moderator again.',
  );
}

export const distinct = (values: readonly string[]): boolean => new Set(values).size === values.length;

export const Permissions = z
  .array(z.enum(PERMISSIONS))
  .refine(distinct, 'Names a permission twice.')
  .register(documented, { uniqueItems: true });
/** The input of a call about one builder. */
export const BuilderInput = namedObject('BuilderInput', { role: BuilderRole });
export const ReasonInput = namedObject('ReasonInput', { reason: Reason });

/** The answer of an operation that changes the status, the phase or an authorization. */
export const Standing = namedObject('Standing', {
  session_id: z.string(),
  status: z.enum(STATUSES),
  phase: z.enum(PHASES),
  round_limit: z.int(),
});

export const viewStanding = ({ sessionId, profile }: SessionState): z.output<typeof Standing> => ({
  session_id: sessionId,
  status: profile.status,
  phase: profile.phase,
  round_limit: profile.round_limit,
});

/** The result of a verification of the session's log. */
export const LogReportView = namedObject('LogReport', {
  ok: z.boolean(),
  events: z.int().describe('Number of valid events, counted from the first.'),
  head: LogHead,
  fault: z
    .strictObject({ seq: z.int(), reason: z.enum(LOG_FAULTS), message: z.string() })
    .optional()
    .describe('The first fault.'),
});

/** A line of an exported log: the exact stored text of an event, and its hash. */
export const LogLine = namedObject('LogLine', { hash: z.string(), event: z.string() });
