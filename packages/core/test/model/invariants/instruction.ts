import { EVERYBODY, followed } from '../bot.ts';
import { fill, resolutionOf } from '../moves/fill.ts';
import { BUILDERS, type Builder, dueIn, dueInterventionsIn, statesOf } from '../seen.ts';
import { isThere, refusalOf, showCall } from '../world.ts';
import { debts } from './actions.ts';
import type { Facts, Invariant } from './facts.ts';
import { isSpent } from './quotas.ts';
import { isSameFor } from './usefulness.ts';

const WAIT = 'wait_for_my_turn';
/** Calls that take long, so the model tests them only when the instruction has changed. */
const COSTLY = /^(submit_contract|patch_contract|approveContract)$/;

/**
 * Every role has an instruction in every state. Until the session has ended, the instruction names an existing tool, and a
 * well-formed call of this tool is not refused.
 */
export const instructionsCanBeFollowed: Invariant = function* ({ world, now, before }) {
  const { status } = now.session();
  for (const { role, instruction } of statesOf(now)) {
    const { tool, text } = instruction;
    if (!/\S/.test(text)) yield `${role} has no instruction`;
    if ((tool === null) !== (status === 'ENDED')) yield `${role} is told ${tool} while the session is ${status}`;
    if (tool !== null && !isThere(role, tool)) yield `${role} is told ${tool}, which is none of its tools`;
  }
  const { tool } = now.view().state.instruction;
  if (tool !== null && !isThere('owner', tool)) yield `the owner is told ${tool}, which is none of its operations`;
  for (const who of EVERYBODY) {
    const call = followed(now, who);
    if (!call || call.name.startsWith('verify_') || (COSTLY.test(call.name) && isSameFor(who, now, before))) continue;
    const refusal = refusalOf(world, call);
    if (refusal) yield `${who} is told ${showCall(call)}, which is refused: ${refusal.code} ${refusal.message}`;
  }
};

/**
 * The instruction of a builder is the first item of `verify_next`, or to wait if there is no item. `verify_next` lists no work
 * twice, and `due` has the same calls.
 */
export const listBeginsWithInstruction: Invariant = function* ({ now }) {
  for (const role of BUILDERS) {
    const { status, instruction } = now.state(role);
    const items = now.next(role);
    const [first] = items;
    const due = first ? `${first.tool}: ${first.reason}` : WAIT;
    const told = first ? `${instruction.tool}: ${instruction.text}` : instruction.tool;
    if (status !== 'ENDED' && told !== due) yield `${role} is told ${told}; ${due} is the first item`;
    const calls = items.map(({ tool, payload }) => JSON.stringify([tool, payload]));
    const again = calls.find((call, index) => calls.indexOf(call) < index);
    if (again) yield `verify_next of ${role} lists ${again} twice`;
    const listed = dueIn(now.state(role)).map(({ tool, payload }) => JSON.stringify([tool, payload]));
    if (listed.join() !== calls.join()) yield `due of ${role} is ${listed.join()}; verify_next is ${calls.join()}`;
  }
};

/** A text for one builder calls that builder "you" and never by the name of its role. */
export const readerIsYou: Invariant = function* ({ now }) {
  for (const role of BUILDERS) {
    const { instruction, pending_actions } = now.state(role);
    const told = [instruction.text, ...now.next(role).map(({ reason }) => reason)];
    const due = pending_actions.filter(({ type }) => type !== 'OWNER_TASK').map(({ text }) => text);
    // `r_1/agent_a` is the id of a review; `yourself (agent_a)` names the value to send.
    const named = new RegExp(`(?<![\\w/(])${role}(?![\\w/])`);
    for (const text of [...told, ...due]) if (text !== undefined && named.test(text)) yield `${role} reads: ${text}`;
  }
};

/** A builder whose instruction is to wait has no question to answer, no turn, no action, and no blocker that it could remove. */
export const waitingIsRight: Invariant = function* (facts) {
  for (const role of BUILDERS) {
    if (facts.now.state(role).instruction.tool !== WAIT || isSpent(facts.now, role)) continue;
    const left = [...recordsLeft(facts, role), ...blockersLeft(facts, role), ...debtsLeft(facts, role)];
    for (const work of left) yield `${role} waits and could ${work}`;
  }
};

function* recordsLeft({ now, world }: Facts, role: Builder): Generator<string> {
  const { phase, your_turn, open_questions, pending_actions } = now.state(role);
  if (your_turn && phase === 'PLANNING') yield 'post its turn';
  for (const { question_id } of open_questions) yield `answer ${question_id}`;
  for (const { intervention_id } of dueInterventionsIn(now.state(role))) yield `answer ${intervention_id}`;
  for (const { action_id, status, tool = 'complete_action', payload = { action_id } } of pending_actions) {
    if (status === 'PENDING') yield `acknowledge ${action_id}`;
    else if (!refusalOf(world, { by: role, name: tool, input: fill(payload, now, role) })) yield `do ${action_id}`;
  }
}

/**
 * The obligations of a builder. Obligations whose actions the builder completed without fulfilling them count too,
 * because instructions name them.
 */
function* debtsLeft({ now, ledger }: Facts, role: Builder): Generator<string> {
  if (now.state(role).status !== 'ACTIVE') return;
  for (const debt of debts(now, ledger))
    if (debt.split(' ')[1] === role && !debt.startsWith('BEGIN_BUILD')) yield `meet ${debt}`;
}

/** Codes of blockers that require another revision. While such a blocker exists, no instruction asks for a review. */
const VOIDS_REVIEW =
  /^(CHANGES_REQUESTED|VALIDATION_ERROR|FINDING_UNANSWERED|FINDING_UNRESOLVED|REVIEW_REQUESTS_CHANGES|MODERATOR_REVIEW_REQUESTS_CHANGES)$/;

const reviewerOf = (debt: string): string[] => (debt.startsWith('REVIEW_REVISION') ? [String(debt.split(' ')[1])] : []);

function* blockersLeft({ now, world, ledger }: Facts, role: Builder): Generator<string> {
  const { blockers } = now.blockers();
  const reviews = new Set([...debts(now, ledger)].flatMap(reviewerOf));
  const isPlanning = now.state(role).next_agent !== null && now.state(role).phase === 'PLANNING';
  for (const blocker of blockers) {
    const { code, record, responsible } = blocker;
    if (responsible !== role) continue;
    if (code === 'REVIEW_MISSING' && blockers.some((other) => VOIDS_REVIEW.test(other.code))) continue;
    if (code === 'REVIEW_MISSING' && !reviews.has(role)) continue;
    // While turns remain in PLANNING, no instruction asks the builder to elect an author.
    if (code === 'NO_CONTRACT_AUTHOR' && isPlanning) continue;
    if (!refusalOf(world, resolutionOf(blocker, now))) yield `remove ${code} ${record.id}`;
  }
}

/** Until the build is authorized, at least one role has a call that its instruction names. */
export const somebodyActs: Invariant = function* ({ now }) {
  const { status, phase } = now.session();
  if (status === 'ENDED' || phase === 'VERIFY' || phase === 'RELEASE') return;
  if (EVERYBODY.every((who) => followed(now, who) === null)) yield `everybody waits in ${phase}`;
};
