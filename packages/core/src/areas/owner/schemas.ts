import { z } from 'zod';
import { LOG_FAULTS } from '../../kernel/log/verify-log.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { PERMISSIONS } from '../../kernel/scopes.ts';
import { LogHead, Reason } from '../fields.ts';
import { PHASES } from '../session/events.ts';
import { STATUSES } from '../session/state.ts';
import type { SessionState } from '../state.ts';

export const distinct = (values: readonly string[]): boolean => new Set(values).size === values.length;

export const Permissions = z
  .array(z.enum(PERMISSIONS))
  .refine(distinct, 'Names a permission twice.')
  .register(documented, { uniqueItems: true });
export const ReasonInput = z.strictObject({ reason: Reason }).register(documented, { id: 'ReasonInput' });

/** The answer of an operation that changes the status, the phase or an authorization. */
export const Standing = z.strictObject({
  session_id: z.string(),
  status: z.enum(STATUSES),
  phase: z.enum(PHASES),
  round_limit: z.int(),
});
documented.add(Standing, { id: 'Standing' });

export const viewStanding = ({ sessionId, profile }: SessionState): z.output<typeof Standing> => ({
  session_id: sessionId,
  status: profile.status,
  phase: profile.phase,
  round_limit: profile.round_limit,
});

/** The result of a verification of the session's log. */
export const LogReportView = z.strictObject({
  ok: z.boolean(),
  events: z.int().describe('Number of valid events, counted from the first.'),
  head: LogHead,
  fault: z
    .strictObject({ seq: z.int(), reason: z.enum(LOG_FAULTS), message: z.string() })
    .optional()
    .describe('The first fault.'),
});
documented.add(LogReportView, { id: 'LogReport' });

/** A line of an exported log: the exact stored text of an event, and its hash. */
export const LogLine = z.strictObject({ hash: z.string(), event: z.string() });
documented.add(LogLine, { id: 'LogLine' });
