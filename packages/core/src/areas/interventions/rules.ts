import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import type { Limits } from '../../kernel/limits.ts';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import { BUILDERS, type Builder, isBuilder, type Role } from '../../kernel/roles.ts';
import { hasModerator, moderatorPermissions } from '../access/rules.ts';
import type { Action } from '../actions/state.ts';
import type { DecidedStep } from '../approvals/state.ts';
import { type EventOf, type SessionDraft, type SessionEvent, storedData } from '../catalog.ts';
import { BuilderRole, InterventionId, text, viewEvidenceRefs } from '../fields.ts';
import { pickOf, recordIn } from '../listing.ts';
import { isStopped } from '../quotas/rules.ts';
import { currentModeratorReview } from '../reviews/rules.ts';
import type { SessionState } from '../state.ts';
import { interventionEvents, recommendationEvents } from './events.ts';
import {
  INTERVENTION_CONTENT,
  type Intervention,
  type InterventionResponse,
  type Interventions,
  InterventionView,
  RECOMMENDATION_CONTENT,
  RESPONSE_CONTENT,
  type Recommendation,
  type Recommendations,
  RecommendationView,
  type ResponseStatus,
  withResponses,
} from './state.ts';

/** An intervention, and the current response of one of its targets. */
interface Addressed {
  readonly intervention: Intervention;
  readonly response: InterventionResponse;
}

/**
 * Returns an intervention that is addressed to the role. Refuses any other intervention with the same error as an
 * unknown id.
 */
export function interventionTo(interventions: Interventions, id: string, role: Role): Addressed {
  const intervention = lookUp(interventions.all, id);
  const response = intervention && responseOf(intervention, role);
  if (intervention && response) return { intervention, response };
  return unknownIntervention(id, 'is addressed to you');
}

export function interventionOf({ all }: Interventions, id: string): Intervention {
  return lookUp(all, id) ?? unknownIntervention(id, 'here');
}

function unknownIntervention(id: string, where: string): never {
  return fail('UNKNOWN_RECORD', `No intervention ${id} ${where}.`, { record: { type: 'intervention', id } });
}

/** Returns an intervention that `from` sent. Refuses any other intervention with the same error as an unknown id. */
export function ownIntervention(interventions: Interventions, id: string, from: 'owner' | 'moderator'): Intervention {
  const intervention = interventionOf(interventions, id);
  return intervention.from === from ? intervention : unknownIntervention(id, 'is yours');
}

const responseOf = ({ responses }: Intervention, role: Role): InterventionResponse | undefined =>
  isBuilder(role) ? responses[role] : undefined;

/** Whether an acknowledgement must be stored. Refuses the call if the intervention was withdrawn. */
export function isNewAcknowledgement(addressed: Addressed): boolean {
  refuseWithdrawn(addressed.intervention);
  return owesAcknowledgement(addressed);
}

/**
 * Whether a turn must store an acknowledgement. If the intervention was withdrawn before the turn arrived, the turn is
 * accepted and stores no acknowledgement.
 */
export const owesAcknowledgement = ({ intervention, response }: Addressed): boolean =>
  intervention.withdrawn === null && response.status === 'OPEN';

/**
 * Whether an answer must be stored. False if the target has already given the same answer. Refuses a different second
 * answer.
 */
export function isNewResponse({ intervention, response }: Addressed, text: string): boolean {
  refuseWithdrawn(intervention);
  if (response.status !== 'ANSWERED') return true;
  if (response.text === text) return false;
  const { intervention_id } = intervention;
  return fail('ALREADY_ANSWERED', `You already answered intervention ${intervention_id} with a different text.`, {
    intervention_id,
  });
}

function refuseWithdrawn({ intervention_id, withdrawn }: Intervention): void {
  if (withdrawn !== null)
    fail('INTERVENTION_CLOSED', `Intervention ${intervention_id} takes no more answers: it is ${withdrawn}.`, {
      status: withdrawn,
    });
}

/** Refuses an answer to a withdrawn intervention, and to a question that all targets have answered. */
export function refuseClosed(intervention: Intervention): void {
  refuseWithdrawn(intervention);
  const { intervention_id, type, targets, responses } = intervention;
  if (type === 'QUESTION' && targets.every((target) => responses[target]?.status === 'ANSWERED'))
    fail('INTERVENTION_CLOSED', `Intervention ${intervention_id} takes no more answers: it is ANSWERED.`, {
      status: 'ANSWERED',
    });
}

const standing = ({ all, standing: ids }: Interventions): Intervention[] => ids.flatMap((id) => lookUp(all, id) ?? []);

/** Questions that `from` asked and that at least one target has not answered. */
export const openOf = (interventions: Interventions, from: 'owner' | 'moderator'): Intervention[] =>
  standing(interventions).filter((intervention) => intervention.type === 'QUESTION' && intervention.from === from);

/** The owner's directives to this role that are not withdrawn, including directives that the role has answered. */
export const ownerDirectivesTo = (interventions: Interventions, role: Role): Intervention[] =>
  standing(interventions).filter(
    ({ type, from, targets }) => type === 'DIRECTIVE' && from === 'owner' && targets.some((target) => target === role),
  );

/** Interventions that the role has not answered, oldest first. The role may have acknowledged them. */
export const openInterventionsTo = (interventions: Interventions, role: Role): Intervention[] =>
  standing(interventions).filter((intervention) => {
    const status = responseOf(intervention, role)?.status;
    return status === 'OPEN' || status === 'ACKNOWLEDGED';
  });

/** The responses that the targets of open interventions still owe: OPEN, or ACKNOWLEDGED and not answered. */
export function* openResponses(interventions: Interventions): Generator<{
  readonly intervention: Intervention;
  readonly target: 'agent_a' | 'agent_b';
  readonly status: 'OPEN' | 'ACKNOWLEDGED';
}> {
  for (const intervention of standing(interventions))
    for (const target of intervention.targets) {
      const status = intervention.responses[target]?.status;
      if (status === 'OPEN' || status === 'ACKNOWLEDGED') yield { intervention, target, status };
    }
}

type Opened = EventOf<'intervention.opened'>['data'];

interface Opening extends Omit<Opened, 'intervention_id' | 'priority'> {
  readonly priority?: Opened['priority'] | undefined;
}

const HINT_AT_LIMIT = {
  owner:
    'Withdraw a question or directive with withdrawIntervention, or wait until the agents have answered a question.',
  moderator: 'Withdraw a question with withdraw_question, or wait until the builders have answered one.',
} as const;

/** Refuses another question or directive. The owner and the moderator each have their own limit of open ones. */
export function refuseManyInterventions(
  { all, standing }: Interventions,
  from: Role,
  { openInterventions: limit }: Limits,
): void {
  if (standing.filter((id) => lookUp(all, id)?.from === from).length >= limit)
    fail('LIMIT_EXCEEDED', `The ${from} already has ${limit} open questions and directives, which is the limit.`, {
      limit,
      hint: HINT_AT_LIMIT[from === 'owner' ? from : 'moderator'],
    });
}

/** The event that sends a question or a directive to agents. */
export const openedDraft = ({ all }: Interventions, { priority = 'NORMAL', ...opening }: Opening): SessionDraft => ({
  kind: 'intervention.opened',
  data: { ...opening, intervention_id: `i_${all.size + 1}`, priority },
});

export const lastIntervention = (interventions: Interventions): Intervention =>
  interventionOf(interventions, `i_${interventions.all.size}`);

export const Targets = z
  .array(BuilderRole)
  .min(1)
  .max(2)
  .refine((targets) => new Set(targets).size === targets.length, 'Names an agent twice.')
  .describe('Who must answer or follow: agent_a, agent_b or both.')
  .register(documented, { id: 'Targets', uniqueItems: true });
export const InterventionText = text(4_000)
  .describe('The question or the directive.')
  .register(documented, { id: 'InterventionText' });
export const InterventionResult = namedObject('InterventionResult', { intervention: InterventionView });
const InterventionChange = InterventionView.pick({ intervention_id: true, type: true, targets: true, status: true });
documented.add(InterventionChange, { id: 'InterventionChange' });
export const InterventionChangeResult = namedObject('InterventionChangeResult', { intervention: InterventionChange });
export const ModeratorQuestionResult = namedObject('ModeratorQuestionResult', { question: InterventionChange });
export const InterventionIdInput = namedObject('InterventionIdInput', { intervention_id: InterventionId });

const pickIntervention = pickOf(InterventionView);
const pickChange = pickOf(InterventionChange);

/** The responses of the targets, and the status of the intervention for a reader. */
function standingFor({ targets, responses, withdrawn }: Intervention, reader: Role) {
  const shown = targets.map((role) => shownResponse(role, responses[role], withdrawn !== null));
  const own = shown.find(({ role }) => role === reader) ?? slowest(shown);
  return { status: own?.status ?? ('OPEN' as const), responses: shown };
}

/**
 * Shows an intervention.
 * @param reader the role whose response determines `status`; for the owner, the target whose response is least advanced
 * determines it
 */
export const viewIntervention = (intervention: Intervention, reader: Role) =>
  pickIntervention({
    ...intervention,
    ...standingFor(intervention, reader),
    evidence: viewEvidenceRefs(intervention.evidence),
  });

export const viewInterventionChange = (intervention: Intervention, reader: Role) =>
  pickChange({ ...intervention, ...standingFor(intervention, reader) });

/**
 * Numbers of the stored events that contain the texts of a withdrawn intervention. Empty for any other intervention,
 * whose texts are in the state.
 */
export const interventionSeqs = ({ text: words, seq, responses }: Intervention): readonly number[] =>
  words === null ? [seq, ...BUILDERS.flatMap((role) => responses[role]?.seq ?? [])] : [];

/**
 * An intervention with its texts and its evidence, even if the intervention is withdrawn.
 * @param loaded the events of {@link interventionSeqs}
 */
export function viewWholeIntervention(intervention: Intervention, reader: Role, loaded: readonly LoggedEvent[]) {
  const whole = intervention.text === null ? withContent(intervention, loaded) : intervention;
  return pickIntervention({ ...whole, ...standingFor(whole, reader) });
}

const pickContent = pickOf(InterventionView.pick(INTERVENTION_CONTENT));
const pickResponseContent = pickOf(interventionEvents['intervention.answered'].data.pick(RESPONSE_CONTENT));

function withContent(intervention: Intervention, loaded: readonly LoggedEvent[]): Intervention {
  const opened = storedData(loaded, intervention.seq, interventionEvents['intervention.opened']);
  const { evidence = [], ...texts } = pickContent(opened);
  return withResponses({ ...intervention, ...texts, evidence }, (one) =>
    one.seq === null
      ? one
      : {
          ...one,
          ...pickResponseContent(storedData(loaded, one.seq, interventionEvents['intervention.answered'])),
        },
  );
}

/**
 * The statuses of a response, least advanced first. WITHDRAWN comes before ANSWERED: an intervention that was withdrawn
 * before all targets answered is shown as WITHDRAWN.
 */
const SLOWEST_FIRST: readonly ResponseStatus[] = ['OPEN', 'ACKNOWLEDGED', 'WITHDRAWN', 'ANSWERED'];

const slowest = <T extends { status: ResponseStatus }>(responses: readonly T[]): T | undefined =>
  responses.toSorted((a, b) => SLOWEST_FIRST.indexOf(a.status) - SLOWEST_FIRST.indexOf(b.status))[0];

function shownResponse(role: Builder, given: Intervention['responses'][Builder], isWithdrawn: boolean) {
  const { status = 'OPEN', text: words = null, at = null } = given ?? {};
  const shown: ResponseStatus = isWithdrawn && status !== 'ANSWERED' ? 'WITHDRAWN' : status;
  return { role, status: shown, text: words, at };
}

/** The action that asks the moderator for its advice. Undefined if there is no such action. */
function adviceAction({ actions, manifest: { current } }: SessionState): Action | undefined {
  const id = current && lookUp(actions.inForce, adviceKey(current.manifest_id));
  return id ? lookUp(actions.all, id) : undefined;
}

/**
 * The event that closes the request for the moderator's advice. It is stored together with the recommendation that
 * gives the advice. Empty if no advice is requested.
 */
export function adviceDrafts(state: SessionState): SessionDraft[] {
  const action = adviceAction(state);
  if (!action || action.settled_at !== null) return [];
  const { action_id, due_to, type } = action;
  return [{ kind: 'action.settled', data: { action_id, due_to, type } }];
}

/**
 * Time since which the owner can expect the moderator's review or advice on a step, ISO 8601. Null if the moderator has
 * given its review or advice, or cannot act. For the deployment and the activation, the time of the action
 * ADVISE_DEPLOYMENT.
 */
export function awaitedSince(state: SessionState, step: DecidedStep): string | null {
  if (!hasModerator(state)) return null;
  if (step !== 'approval' && step !== 'build') {
    const action = adviceAction(state);
    return action?.settled_at === null && !isStopped(state, 'moderator') ? action.opened_at : null;
  }
  const begun =
    step === 'approval'
      ? state.contract.latest?.created_at
      : Object.values(state.readiness.reports)
          .map(({ submitted_at }) => submitted_at)
          .toSorted()
          .at(-1);
  if (begun === undefined || (step === 'approval' && currentModeratorReview(state))) return null;
  return adviceSince(state, begun).length > 0 ? null : begun;
}

const adviceSince = ({ recommendations }: SessionState, since: string): readonly Recommendation[] =>
  valuesOf(recommendations.all).filter(({ made_at }) => made_at >= since);

/**
 * A sentence for the owner that begins with a space. It names the moderator's recommendations on the deployment, or
 * says that the advice is missing. Empty if there is no recommendation and none is expected.
 */
export function adviceNote(state: SessionState): string {
  const action = adviceAction(state);
  if (awaitedSince(state, 'deployment') !== null)
    return ' The moderator has not given its advice yet; you can authorize without it.';
  const ids = action ? adviceSince(state, action.opened_at).map(({ recommendation_id }) => recommendation_id) : [];
  return ids.length > 0 ? ` The moderator gave its advice in ${ids.join(', ')}.` : '';
}

/**
 * A sentence for the owner, beginning with a space, about the moderator's review of the latest revision. Empty if there
 * is no review and the moderator cannot write a review.
 */
export function reviewNote(state: SessionState): string {
  const review = currentModeratorReview(state);
  if (review) return ` The moderator reviewed the revision: ${review.verdict}.`;
  const canReview = hasModerator(state) && moderatorPermissions(state).includes('review');
  return canReview ? ' The moderator has not reviewed the revision yet.' : '';
}

export const adviceKey = (manifestId: string): string => `ADVISE_DEPLOYMENT moderator ${manifestId}`;

/** Refuses another recommendation if too many are unanswered. */
export function refuseManyRecommendations({ open }: Recommendations, { openRecommendations: limit }: Limits): void {
  if (open.length >= limit)
    fail('LIMIT_EXCEEDED', `The owner has not answered ${limit} of your recommendations yet, which is the limit.`, {
      limit,
      hint: 'Send the call again once the owner has answered a recommendation.',
    });
}

export const RecommendationResult = namedObject('RecommendationResult', { recommendation: RecommendationView });

export const recommendationOf = ({ all }: Recommendations, id: string): Recommendation =>
  recordIn(all, 'recommendation', id);

export const viewRecommendation = pickOf(RecommendationView);

/**
 * Number of the stored event that contains the text of a rejected recommendation. Empty for any other recommendation,
 * whose text is in the state.
 */
export const recommendationSeqs = ({ text, seq }: Recommendation): readonly number[] => (text === null ? [seq] : []);

/**
 * A recommendation with its text, even if the owner has rejected it.
 * @param loaded the events of {@link recommendationSeqs}
 */
export const viewWholeRecommendation = (recommendation: Recommendation, loaded: readonly LoggedEvent[]) =>
  viewRecommendation({
    ...recommendation,
    ...(recommendation.text === null &&
      pickRecommended(storedData(loaded, recommendation.seq, recommendationEvents['recommendation.made']))),
  });

const pickRecommended = pickOf(RecommendationView.pick(RECOMMENDATION_CONTENT));

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
