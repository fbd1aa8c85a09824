import type { Answer } from '@parley/core/client';
import { plural, timeText } from '@parley/core/text';
import { type Agent, agentName, hindranceOf } from '../../text/agent.ts';
import { APPROVED_BY, lapsedText } from '../../text/record-words.ts';
import { visibleLine } from '../../text/visible.ts';
import type { Seen } from '../flags/command-line.ts';

/** Returns the name of the agent with a role, such as `Catalog agent (agent_a)`. */
export type NameOf = (role: string) => string;

interface WithAgents {
  readonly agents: readonly {
    readonly role: string;
    readonly name?: string | undefined;
    readonly display_name?: string | undefined;
  }[];
}

/** @param session any answer that contains the agents. Undefined if none could be read: then the names are the roles */
export const namesIn =
  (session: WithAgents | undefined): NameOf =>
  (role) => {
    const agent = session?.agents.find((candidate) => candidate.role === role);
    return agentName(role, agent?.display_name ?? agent?.name);
  };

/** The agents in a view of a session, by role: `{ agent_a: { name, … } }`. */
export const agentsByRole = (view: Answer<'view'> | undefined) =>
  Object.fromEntries((view?.agents ?? []).map((agent) => [agent.role, agent]));

/** Whether an absent agent makes no call although its token is valid, so that it needs a message and no invitation. */
export const isSilent = (agent: Agent, nowMs: number): boolean => hindranceOf(agent, nowMs, true) === 'silent';

/** Number of characters of the hash in a command line. */
const HASH_CHARS = 16;

/** The `head` of an answer: the latest event in it. */
export const seenIn = ({ head: { seq, hash } }: Pick<Answer<'view'>, 'head'>): Seen => ({
  seen: seq,
  seen_hash: hash.slice(0, HASH_CHARS),
});

type Approval = Answer<'view'>['approvals'][number];
type Given = Approval['given'][number];

/**
 * A line for each approved step: who approved it and when, how many approvers are missing, and whose approval does not
 * count any more. A step that needs one approver has no line if that approver has no name.
 */
export const approvalTexts = (approvals: readonly Approval[]): string[] =>
  approvals.flatMap((approval) => {
    const { stage, required, given } = approval;
    const missing = required - given.length;
    if (required < 2 && given.every(({ person }) => person === null)) return [];
    const names = given.map(approverText).join(' and ') || 'nobody';
    const more = missing > 0 ? `; ${plural(missing, 'more approver')} needed` : '';
    return [
      visibleLine(
        `${APPROVED_BY[stage] ?? `${stage} approved by`} ${names}${more}${lapsedText(lapsedNames(approval))}`,
      ),
    ];
  });

/** A line for each person who approved a step, also if the person is not an approver any more. */
export const approverTexts = (approval: Approval): string[] => [
  ...approval.given.map(approverText),
  ...lapsedNames(approval).map((name) => `${name}: does not count any more`),
];

const approverText = (given: Given): string => `${nameOf(given)}, ${timeText(given.at)}`;

const lapsedNames = ({ lapsed = [] }: Approval): string[] => lapsed.map(nameOf);

const nameOf = ({ person }: Given): string => person?.name || 'the owner';
