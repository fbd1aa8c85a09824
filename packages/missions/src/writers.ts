import type { ToolOutput } from '@parley/core/client';
import { z } from 'zod';
import { readinessAnswers, receiptsOf } from './handover.ts';
import { answerKey, type Material } from './material.ts';
import type { Builder } from './mission.ts';
import type { CallTool, Json } from './transport.ts';

/** The facts from which a bot makes the input of its next call. */
export interface Situation {
  readonly role: Builder;
  readonly agent: CallTool;
  readonly material: Material;
  /** The texts of the mission that the bots have already used. Both bots read and change the same object. */
  readonly memory: {
    readonly turns: Record<Builder, number>;
    findings: number;
    hasObjected: boolean;
    hasMended: boolean;
  };
  readonly state: ToolOutput<'read_session_state'>;
  /** The payload of the first call that is due. */
  readonly payload: Json;
}

interface WrittenCall {
  /** The tool to call instead of the tool in the instruction. Absent if the bot calls the tool in the instruction. */
  readonly tool?: string;
  readonly input: Json;
}

type Write = (situation: Situation) => WrittenCall | Promise<WrittenCall>;

/** For each tool of an instruction: the function that makes the input of the call. */
export const WRITERS: ReadonlyMap<string, Write> = new Map<string, Write>([
  ['post_turn', postTurn],
  ['accept_decision', ({ payload }) => ({ input: payload })],
  ['ack_intervention', ({ payload }) => ({ input: payload })],
  ['answer_intervention', answerIntervention],
  ['answer_question', answerQuestion],
  ['ack_action', (situation) => ({ input: { action_id: actionIn(situation, 'PENDING') } })],
  [
    'complete_action',
    (situation) => ({ input: { action_id: actionIn(situation, 'ACKNOWLEDGED'), ...situation.payload } }),
  ],
  ['elect_contract_author', elect],
  ['submit_contract', submitContract],
  ['patch_contract', patchContract],
  ['submit_preflight', submitPreflight],
  ['submit_final_review', review],
  ['respond_finding', respond],
  ['resolve_finding', resolve],
  ['confirm_receipt', confirmReceipt],
  ['submit_readiness', report],
]);

const PLACEHOLDER = /^<.*>$/;

/**
 * Returns the payload with each placeholder `<…>` replaced by the value of the same name. Also adds the values whose
 * names do not occur in the payload.
 */
export function filled(payload: Json, values: Json): Json {
  const kept = Object.entries(payload).filter(([, value]) => !(typeof value === 'string' && PLACEHOLDER.test(value)));
  const unknown = Object.keys(payload).find(
    (name) => !Object.hasOwn(values, name) && !kept.some(([member]) => member === name),
  );
  if (unknown !== undefined)
    throw new Error(`No value is known for the placeholder ${unknown}: ${String(payload[unknown])}.`);
  return { ...values, ...Object.fromEntries(kept) };
}

function postTurn({ role, material, memory }: Situation): WrittenCall {
  const turn = material.turns[role][memory.turns[role]] ?? { summary: 'Nothing to add.', converged: true };
  memory.turns[role] += 1;
  return { input: turn };
}

function answerIntervention({ role, state, payload, material: { answers } }: Situation): WrittenCall {
  const answerTo = (text: string) => answers.get(answerKey(role, text));
  const { owner_directives, open_interventions } = state;
  const directives = owner_directives.flatMap((directive) => ('intervention_id' in directive ? [directive] : []));
  const open = [...directives, ...(open_interventions ?? [])].filter(({ text }) => text);
  const due = open.find(({ text }) => answerTo(text ?? '')) ?? open[0];
  const intervention_id = payload.intervention_id ?? due?.intervention_id;
  const asked = open.find((one) => one.intervention_id === intervention_id);
  return { input: { intervention_id, text: answerTo(asked?.text ?? '') ?? 'None that we know of.' } };
}

function answerQuestion({ role, state, material }: Situation): WrittenCall {
  const [question] = state.open_questions;
  const answer = material.answers.get(answerKey(role, question?.text ?? '')) ?? 'Yes.';
  return { input: { question_id: question?.question_id, answer } };
}

function actionIn({ state }: Situation, status: string): string | undefined {
  return state.pending_actions?.find((action) => action.status === status)?.action_id;
}

/**
 * Nominates the candidate in the payload. If the payload has none, nominates the candidate of the first nomination; if
 * there is no nomination, the Contract Author that the mission expects.
 */
function elect({ payload, state, material }: Situation): WrittenCall {
  const candidate = state.nominations?.[0]?.candidate ?? material.author;
  return { input: filled(payload, { candidate, reason: 'Most of the contract describes the service of this agent.' }) };
}

/**
 * Writes a revision. The first revision is the mission's contract with all resolved decisions except the last. Each
 * later revision is the latest contract with the requested change.
 */
async function submitContract({ agent, payload, material, memory }: Situation): Promise<WrittenCall> {
  const { expected_parent_id = '' } = payload;
  const isRevision = expected_parent_id !== '';
  if (isRevision && material.moderation && !memory.hasMended) {
    memory.hasMended = true;
    const reason = 'The moderator asked for this change.';
    return { tool: 'patch_contract', input: { expected_parent_id, ops: material.moderation.mend, reason } };
  }
  const reason = isRevision ? 'As asked for.' : 'The contract as discussed.';
  const { contract } = await agent('get_final_plan', { format: 'structured' });
  const decisions = [...(await resolvedDecisions(agent)).values()];
  const draft = contract
    ? { ...contract, summary: `${contract.summary} ${material.objections[0] ?? material.ownersChange ?? ''}`.trim() }
    : { ...material.contract, decisions: decisions.slice(0, -1) };
  return { input: filled(payload, { contract: draft, reason, expected_parent_id }) };
}

async function patchContract({ agent, payload }: Situation): Promise<WrittenCall> {
  const value = [...(await resolvedDecisions(agent)).values()];
  const ops = [{ op: 'replace', path: '/decisions', value }];
  const reason = 'The contract now names every resolved decision.';
  return { input: filled(payload, { ops, reason, causes: value.slice(-1) }) };
}

/** Returns the ids of the resolved decisions by their topics. */
async function resolvedDecisions(agent: CallTool): Promise<Map<string, string>> {
  const { decisions } = await agent('list_decisions');
  const resolved = decisions.filter(({ status }) => status === 'RESOLVED');
  return new Map(resolved.map(({ topic, decision_id }) => [topic, decision_id]));
}

async function submitPreflight({ agent, payload, material }: Situation): Promise<WrittenCall> {
  const ids = await resolvedDecisions(agent);
  const mappings = material.mappings.map((mapping) => {
    const topics = z.array(z.string()).parse(mapping.decisions);
    return { ...mapping, decisions: topics.flatMap((topic) => ids.get(topic) ?? []) };
  });
  return { input: filled(payload, { mappings }) };
}

/**
 * Writes a review. The reviewer first raises its findings. If the mission contains requested changes, the reviewer
 * requests them in its first review.
 */
function review({ role, state, payload, material, memory }: Situation): WrittenCall {
  const isReviewer = state.technical_reviewer === role;
  const finding = isReviewer ? material.findings[memory.findings] : undefined;
  if (finding) {
    memory.findings += 1;
    return { tool: 'submit_finding', input: finding };
  }
  const objects = isReviewer && !memory.hasObjected && material.objections.length > 0;
  if (objects) memory.hasObjected = true;
  const caveats = objects ? material.objections : [];
  return { input: filled(payload, { verdict: objects ? 'REQUEST_CHANGES' : 'APPROVE', caveats }) };
}

async function respond({ agent, payload, material }: Situation): Promise<WrittenCall> {
  const { findings } = await agent('list_findings');
  const text = findings.find(({ finding_id }) => finding_id === payload.finding_id)?.text ?? '';
  return { input: filled(payload, material.responses.get(text) ?? {}) };
}

/**
 * Resolves the finding that the payload names. For a finding that does not block, there is no payload; then resolves
 * the first answered finding that this agent has raised.
 */
async function resolve({ agent, role, payload, material }: Situation): Promise<WrittenCall> {
  const { findings } = await agent('list_findings');
  const answered = findings.find(({ raised_by, status }) => raised_by === role && status === 'RESPONDED');
  const input = { finding_id: answered?.finding_id, outcome: '<outcome>', ...payload };
  const text = findings.find(({ finding_id }) => finding_id === input.finding_id)?.text ?? '';
  return { input: filled(input, { outcome: material.outcomes.get(text) }) };
}

async function confirmReceipt({ agent, payload }: Situation): Promise<WrittenCall> {
  return { input: filled(payload, await receiptsOf(agent)) };
}

async function report({ agent, role, payload, material }: Situation): Promise<WrittenCall> {
  const answers = await readinessAnswers(agent, material.notes[role]);
  return { input: filled(payload, { verdict: 'READY_TO_CODE', answers }) };
}
