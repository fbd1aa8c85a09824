import { followed } from '../bot.ts';
import { MAPPINGS, mappingsFor, VARIANTS, type Variant } from '../contracts.ts';
import { isLight } from '../seen.ts';
import { by } from '../starting-states.ts';
import { resolvedIn } from './fill.ts';
import { MODERATION, OVERSIGHT } from './moderator-moves.ts';
import {
  actionIds,
  activeIds,
  author,
  decisionIds,
  findingIds,
  idOf,
  interventionIds,
  latestOf,
  type Move,
  NO_HASH,
  on,
  openFindings,
  other,
  pick,
  questionIds,
  reviewer,
  speaker,
  targets,
} from './picks.ts';

const VARIANT_NAMES: readonly Variant[] = [
  'good',
  'good',
  'renamed',
  'withoutTest2',
  'withoutAllOfR2',
  'otherIds',
  'broken',
  'wrong',
];

/** Calls of the builders before a manifest exists. */
const TALK: readonly Move[] = [
  (now, who, n) => {
    const asked = [{ text: 'Why?', to: n % 4 === 0 ? 'owner' : 'agent', blocking: n % 3 !== 0 }];
    const decision_id = idOf(activeIds(now), n, 'd_99');
    const proposed = [{ topic: `T${n % 2}`, position: `P${n % 3}`, accept: n % 5 < 3 }];
    return by(speaker(now, who, n), 'post_turn', {
      summary: 'A turn.',
      converged: n % 2 === 0,
      ...(n % 3 === 1 ? { proposed_decisions: proposed } : {}),
      ...(n % 4 < 2 ? { questions: asked } : {}),
      ...(n % 5 > 2 && decision_id
        ? { answers: [{ decision_id, decision: n % 2 ? 'ACCEPT' : 'REJECT', reason: 'So.' }] }
        : {}),
    });
  },
  (now, who, n) =>
    by(who, 'submit_decision', {
      ...(n % 11 < 4 ? { supersedes: idOf(activeIds(now), n, 'd_99') } : {}),
      topic: n % 3 === 0 ? 'Store' : ' STORE ',
      position: `P${n % 4}`,
      ...(n % 5 < 3 ? { evidence: [{ kind: 'log', reference: `run-${n % 7}` }] } : {}),
      ...(n % 7 < 3 ? { accept: true } : {}),
    }),
  (now, who, n) => on(who, 'accept_decision', { decision_id: idOf(activeIds(now), n, 'd_99') }),
  (now, who, n) => on(who, 'accept_decision', { decision_id: idOf(decisionIds(now), n, 'd_99') }),
  (now, who, n) => on(who, 'reject_decision', { decision_id: idOf(activeIds(now), n, 'd_99'), reason: 'No.' }),
  (now, who, n) => on(who, 'withdraw_decision', { decision_id: idOf(decisionIds(now), n, 'd_99'), reason: 'No.' }),
  (_now, who, n) =>
    by(who, 'elect_contract_author', { candidate: n % 2 === 0 ? who : other(who), reason: `R${n % 3}` }),
  (_now, who) => by('owner', 'appointAuthor', { candidate: who }),
  (_now, who) => by(who, 'post_evidence', { evidence: [{ kind: 'file', reference: 'README.md' }] }),
  (_now, _who, n) => by('owner', 'extendRounds', { rounds: 1 + (n % 2) }),
];

const CONTRACT: readonly Move[] = [
  (now, who, n) =>
    by(author(now, who, n), 'submit_contract', {
      contract: VARIANTS[pick(VARIANT_NAMES, n) ?? 'good'](resolvedIn(now)),
      expected_parent_id: n % 11 === 10 ? pick(['r_99', '', 'r_1'], n) : (latestOf(now)?.revision_id ?? ''),
      reason: 'As decided.',
    }),
  (now, who, n) => {
    const op =
      n % 7 === 6 ? { op: 'remove', path: '/nowhere' } : { op: 'add', path: '/title', value: `Title ${n % 3}` };
    const expected_parent_id = latestOf(now)?.revision_id ?? '';
    return by(author(now, who, n), 'patch_contract', { expected_parent_id, reason: 'A word.', ops: [op] });
  },
  (now, who, n) => {
    const mappings = n % 2 === 0 ? mappingsFor(now.plan().contract) : MAPPINGS;
    return by(author(now, who, n), 'submit_preflight', { mappings });
  },
  (now, who, n) =>
    by(who, 'submit_final_review', {
      revision_id: n % 9 === 8 ? 'r_1' : (latestOf(now)?.revision_id ?? 'r_1'),
      content_hash: n % 10 === 9 ? NO_HASH : (latestOf(now)?.content_hash ?? NO_HASH),
      verdict: n % 4 === 3 ? 'REQUEST_CHANGES' : 'APPROVE',
    }),
  (now, who) => {
    const stale = now.plan().reviews.find(({ outdated }) => outdated);
    return stale
      ? by(who, 'submit_final_review', {
          revision_id: latestOf(now)?.revision_id,
          content_hash: stale.content_hash,
          verdict: 'APPROVE',
        })
      : null;
  },
  (now, _who, n) =>
    by('owner', 'approveContract', {
      revision_id: n % 6 === 5 ? 'r_1' : (latestOf(now)?.revision_id ?? 'r_1'),
      content_hash: n % 4 === 3 ? NO_HASH : (latestOf(now)?.content_hash ?? NO_HASH),
      ...(n % 5 === 4 && { authorize_build: true }),
    }),
  (_now, who) => by(who, 'revalidate_contract'),
];

const FINDINGS: readonly Move[] = [
  (now, who, n) => by(reviewer(now, who, n), 'submit_finding', { text: 'An error is missing.', blocking: n % 3 !== 0 }),
  (now, who, n) =>
    on(author(now, who, n), 'respond_finding', {
      finding_id: idOf(n % 4 === 0 ? findingIds(now) : openFindings(now), n, 'f_99'),
      decision: n % 2 === 0 ? 'ACCEPT' : 'REJECT',
      response: 'So.',
    }),
  (now, who, n) =>
    on(who, 'respond_finding', {
      finding_id: idOf(openFindings(now), n, 'f_99'),
      decision: n % 2 === 0 ? 'REJECT' : 'ACCEPT',
      response: n % 3 === 0 ? 'So.' : 'No.',
    }),
  (now, who, n) =>
    on(reviewer(now, who, n), 'resolve_finding', {
      finding_id: idOf(openFindings(now), n, 'f_1'),
      outcome: n % 2 === 0 ? 'RESOLVED' : 'WITHDRAWN',
    }),
  (now, _who, n) => on('owner', 'overrideFinding', { finding_id: idOf(openFindings(now), n, 'f_1'), reason: 'Minor.' }),
  () => by('owner', 'requestChanges', { reason: 'Name the error.' }),
];

const READINESS: readonly Move[] = [
  (now, who, n) => {
    const artifact = pick(now.artifacts(n % 8 === 7 ? other(who) : who).artifacts, n);
    const sha256 = n % 6 === 5 ? NO_HASH : artifact?.sha256;
    return on(who, 'confirm_receipt', { filename: artifact?.filename, sha256 });
  },
  (now, who) => {
    const { revision_id, content_hash, handshake_sha256, shared_contract_sha256, fixture_version } = now.readiness(who);
    if (revision_id === null) return null;
    const named = { revision_id, content_hash, handshake_sha256, shared_contract_sha256, fixture_version };
    return by(who, 'submit_readiness', { ...named, verdict: 'BLOCKED', answers: [], blockers: ['No access.'] });
  },
  (now, who) => {
    const { questions, revision_id, ...asked } = now.readiness(who);
    const { content_hash, handshake_sha256, shared_contract_sha256, fixture_version } = asked;
    if (revision_id === null || !isLight(now)) return null;
    const named = { revision_id, content_hash, handshake_sha256, shared_contract_sha256, fixture_version };
    const answers = questions.map(({ question_id }) => ({ question_id, answer: 'As the contract says.' }));
    return by(who, 'submit_readiness', { ...named, verdict: 'READY_TO_CODE', answers });
  },
  () => by('owner', 'authorize', { stage: 'build' }),
];

/** Calls that `moveFor` chooses in every phase. */
const ANYTIME: readonly Move[] = [
  (now, who, n) => on(who, 'answer_question', { question_id: idOf(questionIds(now), n, 'q_99'), answer: `A${n % 2}` }),
  (now, who, n) => on(who, 'ack_intervention', { intervention_id: idOf(interventionIds(now), n, 'i_99') }),
  (now, who, n) =>
    on(who, 'answer_intervention', { intervention_id: idOf(interventionIds(now), n, 'i_99'), text: `A${n % 2}` }),
  (now, who, n) => on(who, 'ack_action', { action_id: idOf(actionIds(now, who), n, 'act_1') }),
  (now, who, n) => on(who, 'complete_action', { action_id: idOf(actionIds(now, who), n, 'act_1') }),
  (now, who, n) => on(who, 'complete_action', { action_id: idOf(actionIds(now, who), n, 'act_1') }),
  (_now, _who, n) => by('owner', 'ask', { targets: targets(n), text: 'Why?', blocking: n % 2 === 0 }),
  (_now, _who, n) => by('owner', 'direct', { targets: targets(n), text: 'Keep the API.' }),
  (now, _who, n) => on('owner', 'withdrawIntervention', { intervention_id: idOf(interventionIds(now), n, 'i_99') }),
  (now, _who, n) =>
    on('owner', 'answerQuestion', { question_id: idOf(questionIds(now), n, 'q_99'), text: `A${n % 2}` }),
  (_now, who) => by('owner', 'assignAction', { target: who, text: 'Write the changelog.' }),
  (_now, _who, n) =>
    by('owner', 'raiseQuota', {
      role: pick(['agent_a', 'agent_b', 'moderator'], n),
      quota: pick(['bytes', 'events', 'revisions', 'findings'], n),
    }),
  () => by('owner', 'pause', { reason: 'Lunch.' }),
  (_now, _who, n) =>
    by('moderator', pick(['read_session_state', 'list_blockers', 'get_final_plan', 'list_decisions'], n) ?? ''),
  (_now, _who, n) => by('moderator', pick(['submit_final_review', 'post_turn', 'list_artifacts'], n) ?? ''),
  (_now, _who, n) => (n % 4 === 0 ? by('owner', 'end', { end_reason: 'CANCELLED' }) : null),
];

const FOLLOWS: readonly Move[] = [
  (now, who) => followed(now, who),
  (now, who) => followed(now, who),
  (now, who) => followed(now, who),
  (now) => followed(now, 'owner'),
  (now) => followed(now, 'moderator'),
];

const EVERYTHING = [...TALK, ...CONTRACT, ...FINDINGS, ...READINESS, ...ANYTIME, ...MODERATION, ...OVERSIGHT];

const IN_PHASE: Readonly<Record<string, readonly Move[]>> = {
  PLANNING: TALK,
  CONTRACT: [...TALK, ...CONTRACT, ...CONTRACT, ...FINDINGS],
  READINESS: [...READINESS, ...FINDINGS],
  VERIFY: [...FINDINGS, ...READINESS],
};

const HAVING = { entitled: true };

/** Chooses a call: usually a call of the present phase, often the call that an instruction names, sometimes any call. */
export const moveFor: Move = (now, who, n) => {
  const { phase, status } = now.session();
  if (status === 'PAUSED' && n % 3 === 0) return by('owner', 'resume');
  const { active, stopped } = now.view().moderator;
  if (!active && n % 4 === 0) return stopped ? by('owner', 'restoreModerator') : by('owner', 'setEntitlement', HAVING);
  const usual = IN_PHASE[phase] ?? [];
  const kinds = [FOLLOWS, FOLLOWS, usual, usual, ANYTIME, MODERATION, MODERATION, OVERSIGHT, EVERYTHING];
  const moves = pick(kinds, n) ?? [];
  const rest = Math.floor(n / kinds.length);
  return pick(moves, rest)?.(now, who, Math.floor(rest / moves.length)) ?? null;
};
