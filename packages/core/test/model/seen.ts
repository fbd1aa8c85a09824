import { getFinalPlan, getPreflight, listBlockers } from '../../src/areas/contract/operations.ts';
import { listFindings } from '../../src/areas/findings/operations.ts';
import { getModeratorStatus, getSessionEvents } from '../../src/areas/interventions/feed.ts';
import { getReadinessQuestions, listArtifacts } from '../../src/areas/manifest/operations.ts';
import { view } from '../../src/areas/owner/view.ts';
import { readSessionState } from '../../src/areas/session/operations.ts';
import { verifyNext } from '../../src/areas/verify/operations.ts';
import { ParleyError } from '../../src/kernel/errors.ts';
import { look, type World } from './world.ts';

export const BUILDERS = ['agent_a', 'agent_b'] as const;
export type Builder = (typeof BUILDERS)[number];
export const isBuilder = (role: string): role is Builder => BUILDERS.some((builder) => builder === role);

/** A state view that is no answer to a wait, so that no list is left out. */
export const whole = ({ open_interventions = [], pending_actions = [], holds = [], ...view }: StateView) => ({
  ...view,
  open_interventions,
  pending_actions,
  holds,
});
type StateView = ReturnType<typeof readSessionState.reply>;

/**
 * The views of a world. A view is read when it is first used.
 *
 * @param plan the plan before the last call, if that call cannot have changed the plan; rendering a plan takes longer
 * than reading all other views
 */
export function seen(world: World, plan?: ReturnType<typeof planOf>, read = look) {
  const once = <T>(open: () => T): (() => T) => {
    let kept: { value: T } | undefined;
    return () => {
      kept ??= { value: open() };
      return kept.value;
    };
  };
  const states = {
    agent_a: once(() => whole(read(world, readSessionState, 'agent_a', {}))),
    agent_b: once(() => whole(read(world, readSessionState, 'agent_b', {}))),
  };
  const artifacts = {
    agent_a: once(() => read(world, listArtifacts, 'agent_a', {})),
    agent_b: once(() => read(world, listArtifacts, 'agent_b', {})),
  };
  const readiness = {
    agent_a: once(() => read(world, getReadinessQuestions, 'agent_a', {})),
    agent_b: once(() => read(world, getReadinessQuestions, 'agent_b', {})),
  };
  const next = {
    agent_a: once(() => read(world, verifyNext, 'agent_a', {}).items),
    agent_b: once(() => read(world, verifyNext, 'agent_b', {}).items),
  };
  const overview = once(() => read(world, view, 'owner', {}));
  return {
    state: (role: Builder) => states[role](),
    /** The owner's view of the state. */
    session: () => overview().state,
    moderator: once(() => moderatorOf(world, read)),
    artifacts: (role: Builder) => artifacts[role](),
    readiness: (role: Builder) => readiness[role](),
    next: (role: Builder) => next[role](),
    view: overview,
    blockers: once(() => read(world, listBlockers, 'agent_a', {})),
    findings: once(() => read(world, listFindings, 'agent_a', {}).findings),
    preflight: once(() => read(world, getPreflight, 'agent_b', {}).preflight),
    plan: once(() => plan ?? planOf(world, read)),
  };
}

/**
 * The moderator's views, with the events after its acknowledged cursor. If the moderator has no access, the error code of the
 * refusal.
 */
function moderatorOf(world: World, read = look) {
  try {
    return {
      refused: null,
      state: whole(read(world, readSessionState, 'moderator', {})),
      status: read(world, getModeratorStatus, 'moderator', {}),
      page: read(world, getSessionEvents, 'moderator', {}),
    };
  } catch (error) {
    if (error instanceof ParleyError) return { refused: error.code };
    throw error;
  }
}

const planOf = (world: World, read = look) => read(world, getFinalPlan, 'agent_b', {});

/** The state view of each role that has access. */
export const statesOf = (now: Seen) => {
  const moderator = now.moderator();
  const builders = BUILDERS.map((role) => ({ role, ...now.state(role) }));
  return moderator.refused === null ? [...builders, { role: 'moderator' as const, ...moderator.state }] : builders;
};

export type Seen = ReturnType<typeof seen>;
export type Blocker = ReturnType<Seen['blockers']>['blockers'][number];
export type Action = ReturnType<Seen['state']>['pending_actions'][number];

/** The calls of `due` in a state view, each with the payload that the item or its action has. */
export const dueIn = ({ due = [], pending_actions }: ReturnType<Seen['state']>) =>
  due.map(({ tool, payload, action_id }) => ({
    tool,
    payload: payload ?? pending_actions.find((action) => action.action_id === action_id)?.payload ?? {},
  }));

/** The unanswered questions and directives in the state view of a builder. */
export const openInterventionsIn = ({ owner_directives, open_interventions }: ReturnType<Seen['state']>) =>
  [...owner_directives, ...open_interventions].flatMap((record) =>
    'intervention_id' in record && record.status !== undefined
      ? [{ intervention_id: record.intervention_id, status: record.status, type: record.type }]
      : [],
  );

/** Those of {@link openInterventionsIn} that are due: an acknowledged directive asks for nothing more. */
export const dueInterventionsIn = (state: ReturnType<Seen['state']>) =>
  openInterventionsIn(state).filter(({ type, status }) => type !== 'DIRECTIVE' || status === 'OPEN');

/** Whether the session has the profile light, in which the build waits for no report. */
export const isLight = (now: Seen): boolean => now.view().profile === 'light';

/** The builder that posts the next turn. Undefined if no turn is left. In the models agent_a posts the first turn. */
export const speakerIn = ({ turn_index, round_limit }: ReturnType<Seen['session']>): Builder | undefined =>
  turn_index < 2 * round_limit ? BUILDERS[turn_index % 2] : undefined;
