import { fill } from './moves/fill.ts';
import { BUILDERS, type Builder, dueIn, isLight, type Seen } from './seen.ts';
import type { Call, Payload } from './world.ts';

/** The turns of a bot. Its instruction determines its other calls. */
export interface Script {
  /** The input of `post_turn` for this builder. `turnIndex`: the number of turns in the session so far. */
  turn(role: Builder, turnIndex: number): Payload;
}

const PLAIN_SCRIPT: Script = { turn: () => ({ summary: 'Nothing is left to settle.', converged: true }) };

/**
 * The call that the first item of `due` asks of a builder; null if the builder has to wait. The input of a turn comes from
 * the script.
 */
export function botCall(seen: Seen, role: Builder, script: Script = PLAIN_SCRIPT): Call | null {
  const [item] = dueIn(seen.state(role));
  if (!item) return null;
  const { tool, payload } = item;
  if (tool === 'post_turn') return { by: role, name: tool, input: script.turn(role, seen.state(role).turn_index) };
  const { name, input } = DETOURS[tool]?.(seen, role) ?? { name: tool, input: payload };
  return { by: role, name, input: fill(input, seen, role) };
}

/** For tools that read: the call that the role makes after the read. */
const DETOURS: Readonly<Record<string, (seen: Seen, role: Builder) => { name: string; input: Payload }>> = {
  list_artifacts: () => ({
    name: 'confirm_receipt',
    input: { filename: '<a filename of list_artifacts>', sha256: '<sha256 of the content you fetched>' },
  }),
  get_readiness_questions: (seen, role) => {
    const { revision_id, content_hash, handshake_sha256, shared_contract_sha256, fixture_version } =
      seen.readiness(role);
    const frozen = { revision_id, content_hash, handshake_sha256, shared_contract_sha256, fixture_version };
    return {
      name: 'submit_readiness',
      input: { ...frozen, verdict: '<READY_TO_CODE or BLOCKED>', answers: '<one answer per question>' },
    };
  },
};

/** The call that the owner's instruction names; null if nothing waits for the owner. */
function ownerCall(seen: Seen): Call | null {
  const { state, questions, recommendations, waits } = seen.view();
  const { tool } = state.instruction;
  if (tool === null) return null;
  const open = questions.find(({ to, status }) => to === 'owner' && status === 'OPEN');
  const payloads: Readonly<Record<string, Payload>> = {
    answerQuestion: { question_id: open?.question_id, text: 'So.' },
    approveContract: {
      revision_id: state.latest_revision?.revision_id,
      content_hash: state.latest_revision?.content_hash,
      ...(isLight(seen) && { authorize_build: true }),
    },
    authorize: { stage: 'build' },
    releaseHold: { hold_id: state.holds[0]?.hold_id, reason: 'It may go on.' },
    respondRecommendation: {
      recommendation_id: recommendations.find(({ answer }) => answer === null)?.recommendation_id,
      decision: 'ACCEPT',
    },
    overrideFinding: { finding_id: ownersFinding(seen), reason: 'No moderator can resolve it.' },
    requestChanges: { reason: 'Clear what blocks the coding.' },
  };
  const isKnown = /^(QUOTA_EXHAUSTED|ROUNDS_USED|AGENT_ABSENT)$/;
  const known = waits.find(({ kind, operation }) => isKnown.test(kind) && operation === tool)?.payload;
  return { by: 'owner', name: tool, input: known ?? payloads[tool] ?? {} };
}

/** The finding that the owner must resolve because the role that raised it cannot. */
const ownersFinding = (seen: Seen): string | undefined =>
  seen.blockers().blockers.find(({ code, responsible }) => code === 'FINDING_UNRESOLVED' && responsible === 'owner')
    ?.record.id;

/** The call that the moderator's instruction names. Null if the moderator has to wait or has no access. */
function moderatorCall(seen: Seen): Call | null {
  const moderator = seen.moderator();
  if (moderator.refused !== null) return null;
  const { state, page } = moderator;
  const { tool, text } = state.instruction;
  if (tool === null || tool === 'wait_for_activity') return null;
  if (tool === 'ack_events') return { by: 'moderator', name: 'ack_events', input: { cursor: page.next_cursor } };
  const due = seen.view().actions.filter((action) => action.due_to === 'moderator' && action.tool === tool);
  const action =
    tool === 'complete_action'
      ? state.pending_actions.find((one) => one.tool === undefined)
      : (due.findLast(({ payload }) => namesRecordOf(payload, text)) ?? due.at(-1));
  const own = seen.blockers().blockers.find(({ responsible, resolution }) => {
    return responsible === 'moderator' && resolution.tool === tool;
  });
  const payload = tool === 'complete_action' ? { action_id: action?.action_id } : action?.payload;
  return { by: 'moderator', name: tool, input: fill(payload ?? own?.resolution.payload ?? {}, seen, 'moderator') };
}

/** Whether a text contains the id of a record that a payload names. */
const namesRecordOf = (payload: Payload | undefined, text: string): boolean =>
  Object.values(payload ?? {}).some(
    (value) => typeof value === 'string' && /^[a-z]+_\d+$/.test(value) && new RegExp(`\\b${value}\\b`).test(text),
  );

export const EVERYBODY = [...BUILDERS, 'moderator', 'owner'] as const;
export type Somebody = (typeof EVERYBODY)[number];

/** The call that the instruction of a role names. */
export function followed(seen: Seen, by: Somebody, script?: Script): Call | null {
  if (by === 'owner') return ownerCall(seen);
  return by === 'moderator' ? moderatorCall(seen) : botCall(seen, by, script);
}
