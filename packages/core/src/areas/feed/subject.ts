import type { LoggedEvent } from '../../kernel/log/event.ts';
import type { SessionEvent } from '../catalog.ts';

interface Subject {
  readonly type: string;
  readonly id: string;
}

type NounOf<Kind> = Kind extends `${infer Noun}.${string}` ? Noun : never;

/**
 * The type of a record, and the member of the event's data that contains the id of that record. The member `actor`
 * stands for the actor of the event. A member named here never contains a text that an agent wrote.
 */
type Naming = readonly [type: string, member: string];

const THE_SESSION: readonly Naming[] = [];
const THE_REVISION: readonly Naming[] = [['revision', 'revision_id']];
const THE_MANIFEST: readonly Naming[] = [['manifest', 'manifest_id']];

/**
 * The possible subjects of an event, by the first part of its kind. The first subject whose member is in the event's
 * data counts. If there is none, the subject is the session.
 */
const NAMINGS: Readonly<Record<NounOf<SessionEvent['kind']>, readonly Naming[]>> = {
  session: THE_SESSION,
  rounds: THE_SESSION,
  first_turn: THE_SESSION,
  phase: THE_SESSION,
  author: THE_SESSION,
  moderator: THE_SESSION,
  entitlement: THE_SESSION,
  events: THE_SESSION,
  notice: THE_SESSION,
  change: [['agent', 'role']],
  status: [['agent', 'role']],
  quota: [['agent', 'role']],
  invitation: [['agent', 'role']],
  access: [['agent', 'role']],
  turn: [['turn', 'turn_index']],
  evidence: [
    ['turn', 'turn_index'],
    ['scenario', 'scenario_id'],
  ],
  question: [['question', 'question_id']],
  decision: [['decision', 'decision_id']],
  intervention: [['intervention', 'intervention_id']],
  action: [['action', 'action_id']],
  revision: THE_REVISION,
  contract: THE_REVISION,
  approval: [...THE_REVISION, ...THE_MANIFEST],
  changes: THE_REVISION,
  review: THE_REVISION,
  moderator_review: THE_REVISION,
  preflight: THE_REVISION,
  reading: THE_REVISION,
  finding: [['finding', 'finding_id']],
  followup: [['followup', 'followup_id']],
  hold: [['hold', 'hold_id']],
  recommendation: [['recommendation', 'recommendation_id']],
  receipt: [['artifact', 'filename']],
  readiness: THE_MANIFEST,
  build: THE_MANIFEST,
  deployment: THE_MANIFEST,
  activation: THE_MANIFEST,
  handshake: [['agent', 'actor']],
  workflow: [['agent', 'role']],
  attempt: [['scenario', 'scenario_id']],
  attachment: [
    ['scenario', 'scenario_id'],
    ['gate', 'gate_id'],
  ],
  gate: [['gate', 'gate_id']],
  verdict: [['scenario', 'scenario_id']],
  pass: [['scenario', 'scenario_id']],
  defect: [['defect', 'defect_id']],
};

const namings: Readonly<Record<string, readonly Naming[]>> = NAMINGS;

/** The member of the event's data that contains the id of the subject. Undefined if there is none. */
export const subjectMember = (event: LoggedEvent): string | undefined => namingOf(event)?.[1];

export function subjectOf(event: LoggedEvent, sessionId: string): Subject {
  const named = namingOf(event);
  return named ? { type: named[0], id: String(membersOf(event)[named[1]]) } : { type: 'session', id: sessionId };
}

function namingOf(event: LoggedEvent): Naming | undefined {
  const [noun = ''] = event.kind.split('.');
  const members = membersOf(event);
  return namings[noun]?.find(([, member]) => members[member] !== undefined);
}

const membersOf = ({ data, actor }: LoggedEvent): Readonly<Record<string, unknown>> => ({ ...Object(data), actor });
