import { z } from 'zod';
import { plural } from '../../../kernel/counted.ts';
import { lookUp } from '../../../kernel/log/persistent-collections.ts';
import { documented } from '../../../kernel/operation/documented.ts';
import type { Actor, Role } from '../../../kernel/roles.ts';
import { firstWords } from '../../../kernel/text/first-words.ts';
import { StepOptions } from '../../approvals/rules.ts';
import type { Revision } from '../../contract/state.ts';
import { At, FindingId, Party, RecordRef } from '../../fields.ts';
import { openCaveats } from '../../findings/rules.ts';
import { revisionsBetween } from '../../reading/pair.ts';
import { lastReadBefore } from '../../reading/rules.ts';
import type { SessionState } from '../../state.ts';

/** Maximum number of characters of an agent's text in a task. */
const MAX_SAID_CHARS = 2_000;

/** Maximum number of characters of each text, if a task contains the texts of both sides. */
export const MAX_SIDE_CHARS = 900;

const WAIT_KINDS = [
  'START',
  'RESUME',
  'AGENT_ABSENT',
  'QUESTION',
  'RECOMMENDATION',
  'ROUNDS_USED',
  'BLOCKER',
  'DISPUTE',
  'ANSWER',
  'APPROVAL',
  'HOLD',
  'BUILD',
  'REPORTED_BLOCKED',
  'STUCK',
  'CARRY',
  'DEPLOYMENT',
  'ACTIVATION',
  'RELEASE',
  'END',
  'QUOTA_LOW',
  'QUOTA_EXHAUSTED',
  'LOG_BROKEN',
] as const;

export const OwnerWaitView = z.strictObject({
  wait_id: z.string().describe('Stays the same as long as the task waits.'),
  kind: z.enum(WAIT_KINDS),
  record: RecordRef,
  finding_id: FindingId.optional().describe('Only for a task about a hold: the finding on which the hold rests.'),
  operation: z.string().describe("The owner's operation that settles the task."),
  payload: z.record(z.string(), z.unknown()).describe("The members of the operation's input that are known already."),
  options: StepOptions,
  text: z.string(),
  blocking: z.boolean().describe('Whether the session cannot continue before you settle the task.'),
  since: At.describe('Time since which the task waits for you.'),
  from: Party.nullable().describe('The agent that asked; null if none did.'),
  said: z
    .string()
    .nullable()
    .describe(
      `The agent's own words: at most ${MAX_SAID_CHARS} characters in view, 200 in overview unless you ask for the whole text. Null if the agent said nothing.`,
    ),
});
documented.add(OwnerWaitView, { id: 'OwnerWait' });

export type OwnerWait = z.output<typeof OwnerWaitView>;

type Named = Pick<OwnerWait, 'kind' | 'record' | 'operation' | 'text' | 'since'>;

/**
 * Makes a task that waits for the owner. Unless `more` says otherwise, the task blocks, and contains no words of an
 * agent.
 */
export const waitOf = (named: Named, more: Partial<OwnerWait> = {}): OwnerWait => ({
  wait_id: `${named.kind}:${named.record.id}`,
  ...named,
  payload: {},
  blocking: true,
  from: null,
  said: null,
  ...more,
});

/** The role that caused a task, and what this role wrote. `from` is null for the service, which writes no texts. */
export const saidBy = (actor: Actor, said: string | null): Pick<OwnerWait, 'from' | 'said'> => ({
  from: isRole(actor) ? actor : null,
  said: said === null ? null : firstWords(said, MAX_SAID_CHARS),
});

const isRole = (actor: Actor): actor is Role => actor !== 'system';

/**
 * What the owner should know before reading the latest revision, such as
 * `46 kB; 2 revisions since you read r_1; 1 open caveat`. The number of read sections is left out, because the state does
 * not contain the contract; the brief has this number.
 */
export function revisionFacts(state: SessionState, latest: Revision): string {
  const caveats = openCaveats(state.findings).length;
  return [sizeText(latest), ...readTexts(state, latest), ...(caveats > 0 ? [plural(caveats, 'open caveat')] : [])].join(
    '; ',
  );
}

const sizeText = ({ bytes }: Revision): string =>
  bytes < 1_000 ? plural(bytes, 'byte') : `${Math.round(bytes / 1_000)} kB`;

/** What the owner has read before the latest revision. Empty if the owner has read a section of the latest revision. */
function readTexts(state: SessionState, latest: Revision): string[] {
  if ((lookUp(state.reading, latest.revision_id)?.length ?? 0) > 0) return [];
  const since = lookUp(state.contract.revisions, lastReadBefore(state.reading, latest.revision_id) ?? '');
  if (!since) return ['you have read no section'];
  const { revision_id } = since;
  const verb = lookUp(state.reading, revision_id)?.length === 0 ? 'approved' : 'read';
  return [`${plural(revisionsBetween(state, since, latest).length, 'revision')} since you ${verb} ${revision_id}`];
}
