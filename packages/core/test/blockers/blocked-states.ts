import {
  accept,
  acks,
  answers,
  appoints,
  approved,
  asks,
  begin,
  building,
  by,
  certified,
  converged,
  decided,
  directs,
  finds,
  nominate,
  nominated,
  propose,
  ready,
  review,
  sendsBack,
  submit,
  submitted,
  tell,
} from '../model/starting-states.ts';
import type { Call } from '../model/world.ts';
import type { BlockedState } from './blocked-state.ts';
import { MODERATED_STATES } from './moderated-states.ts';

const elected = tell(begin(), ...nominate('agent_a'));
const electedB = tell(begin(), ...nominate('agent_b'));
const turn = (who: Call['by'], questions: readonly unknown[]) =>
  by(who, 'post_turn', { summary: 'A turn.', questions });
const blocking = (to: string) => [{ text: 'Which port?', to, blocking: true }];
const rejects = by('agent_b', 'reject_decision', { decision_id: 'd_1', reason: 'Too slow.' });
const WHOLE = tell(decided, submit(''));
const LOST_ALL = tell(submitted, submit('r_1', 'withoutAllOfR2'));
const LOST_PART = tell(submitted, submit('r_1', 'withoutTest2'));

/** At least one state for each code of a blocker. A code has several states if different events cause its blocker. */
export const BLOCKED_STATES: readonly BlockedState[] = [
  { code: 'NOT_STARTED', state: 'DRAFT', story: begin(3, false), blockers: ['start owner'] },
  { code: 'NO_CONTRACT_AUTHOR', state: 'nobody nominated', story: begin(), blockers: ['contract_author agent_a'] },
  { code: 'NO_CONTRACT_AUTHOR', state: 'no turns left', story: converged, blockers: ['contract_author agent_a'] },
  {
    code: 'NO_CONTRACT_AUTHOR',
    state: 'one nomination',
    story: tell(begin(), nominated('agent_b', 'agent_b')),
    blockers: ['contract_author agent_a'],
  },
  {
    code: 'NO_CONTRACT_AUTHOR',
    state: 'split, agent_b later',
    story: tell(begin(), nominated('agent_a', 'agent_a'), nominated('agent_b', 'agent_b')),
    blockers: ['contract_author agent_b'],
  },
  {
    code: 'NO_CONTRACT_AUTHOR',
    state: 'split, agent_a later',
    story: tell(begin(), nominated('agent_b', 'agent_a'), nominated('agent_a', 'agent_b')),
    blockers: ['contract_author agent_a'],
  },
  {
    code: 'DECISION_OPEN',
    state: 'accepted by nobody',
    story: tell(begin(), propose('agent_a')),
    blockers: ['d_1 agent_b'],
  },
  {
    code: 'DECISION_OPEN',
    state: 'accepted by one',
    story: tell(elected, propose('agent_b'), by('agent_b', 'accept_decision', { decision_id: 'd_1' })),
    blockers: ['d_1 agent_a'],
  },
  {
    code: 'DECISION_OPEN',
    state: 'superseding a resolved one, two topics',
    story: tell(WHOLE, propose('agent_b', 'store', 'SQLite'), propose('agent_a', 'Cache', 'None')),
    blockers: ['d_2 agent_a', 'd_3 agent_b'],
  },
  {
    code: 'QUESTION_UNANSWERED',
    state: 'to the agent, in PLANNING',
    story: tell(begin(), turn('agent_a', blocking('agent'))),
    blockers: ['q_1 agent_b'],
  },
  {
    code: 'QUESTION_UNANSWERED',
    state: 'to the owner and the agent, in CONTRACT',
    story: tell(elected, turn('agent_a', [...blocking('owner'), ...blocking('agent')])),
    blockers: ['q_1 owner', 'q_2 agent_b'],
  },
  {
    code: 'QUESTION_UNANSWERED',
    state: 'while PAUSED',
    story: tell(begin(), turn('agent_a', blocking('agent')), by('owner', 'pause', { reason: 'Lunch.' })),
    blockers: ['q_1 agent_b'],
  },
  {
    code: 'INTERVENTION_UNANSWERED',
    state: 'to both, one acknowledged',
    story: tell(begin(), asks('agent_a', 'agent_b'), acks('agent_a')),
    blockers: ['i_1 agent_a', 'i_1 agent_b'],
  },
  {
    code: 'INTERVENTION_UNANSWERED',
    state: 'answered by one, after the approval',
    story: tell(
      approved,
      asks('agent_a', 'agent_b'),
      by('agent_a', 'answer_intervention', { intervention_id: 'i_1', text: 'So.' }),
    ),
    blockers: ['i_1 agent_b'],
  },
  {
    code: 'DIRECTIVE_UNACKNOWLEDGED',
    state: 'to both, with one more',
    story: tell(certified, directs('agent_a', 'agent_b'), acks('agent_b'), directs('agent_b')),
    blockers: ['i_1 agent_a', 'i_2 agent_b'],
  },
  { code: 'NO_REVISION', state: 'elected', story: elected, blockers: ['contract agent_a'] },
  { code: 'NO_REVISION', state: 'elected agent_b', story: electedB, blockers: ['contract agent_b'] },
  { code: 'NO_REVISION', state: 'with decisions to name', story: decided, blockers: ['contract agent_a'] },
  { code: 'CHANGES_REQUESTED', state: 'in CONTRACT', story: tell(submitted, sendsBack), blockers: ['r_1 agent_a'] },
  { code: 'CHANGES_REQUESTED', state: 'in READINESS', story: tell(ready, sendsBack), blockers: ['r_1 agent_a'] },
  {
    code: 'CHANGES_REQUESTED',
    state: 'in VERIFY, with another author since',
    story: tell(building, sendsBack, appoints('agent_b')),
    blockers: ['r_1 agent_b'],
  },
  {
    code: 'VALIDATION_ERROR',
    state: 'broken schema',
    story: tell(decided, submit('', 'broken')),
    blockers: ['r_1 agent_a'],
  },
  {
    code: 'VALIDATION_ERROR',
    state: 'two errors',
    story: tell(decided, submit('', 'wrong')),
    blockers: ['r_1 agent_a', 'r_1 agent_a'],
  },
  {
    code: 'VALIDATION_ERROR',
    state: 'a decision that fell',
    story: tell(certified, rejects),
    blockers: ['r_1 agent_a'],
  },
  {
    code: 'VALIDATION_ERROR',
    state: 'a decision left out',
    story: tell(certified, propose('agent_b', 'Cache', 'None'), ...accept('d_2')),
    blockers: ['r_1 agent_a'],
  },
  {
    code: 'FINDING_UNANSWERED',
    state: 'of the reviewer, twice',
    story: tell(submitted, finds('agent_b'), finds('agent_b')),
    blockers: ['f_1 agent_a', 'f_2 agent_a'],
  },
  {
    code: 'FINDING_UNANSWERED',
    state: 'of the reviewer who became author',
    story: tell(submitted, finds('agent_b'), appoints('agent_b')),
    blockers: ['f_1 agent_b'],
  },
  {
    code: 'FINDING_UNANSWERED',
    state: 'after the approval',
    story: tell(building, finds('agent_b')),
    blockers: ['f_1 agent_a'],
  },
  {
    code: 'FINDING_UNRESOLVED',
    state: 'answered',
    story: tell(submitted, finds('agent_b'), answers('agent_a')),
    blockers: ['f_1 agent_b'],
  },
  {
    code: 'FINDING_UNRESOLVED',
    state: 'answered, the raiser is author now',
    story: tell(submitted, finds('agent_b'), appoints('agent_b'), answers('agent_b')),
    blockers: ['f_1 agent_b'],
  },
  {
    code: 'FINDING_UNRESOLVED',
    state: 'answered, after the approval',
    story: tell(approved, finds('agent_b'), answers('agent_a')),
    blockers: ['f_1 agent_b'],
  },
  {
    code: 'PREFLIGHT_MISSING',
    state: 'a first revision that does not name a requirement',
    story: tell(decided, submit('', 'withoutTest2')),
    blockers: ['r_1 agent_a'],
  },
  {
    code: 'PREFLIGHT_MISSING',
    state: 'a later revision that does not name a requirement any more',
    story: tell(WHOLE, submit('r_1', 'withoutTest2')),
    blockers: ['r_2 agent_a'],
  },
  { code: 'PREFLIGHT_INCOMPLETE', state: 'nothing of a mapping is left', story: LOST_ALL, blockers: ['R2 agent_a'] },
  { code: 'PREFLIGHT_DANGLING', state: 'a part of a mapping is gone', story: LOST_PART, blockers: ['R2 agent_a'] },
  {
    code: 'REVIEW_MISSING',
    state: 'of both',
    story: submitted,
    blockers: ['r_1/agent_b agent_b', 'r_1/agent_a agent_a'],
  },
  {
    code: 'REVIEW_MISSING',
    state: 'of one',
    story: tell(submitted, review('agent_a')),
    blockers: ['r_1/agent_b agent_b'],
  },
  {
    code: 'REVIEW_MISSING',
    state: 'of a newer revision',
    story: tell(certified, submit('r_1', 'renamed')),
    blockers: ['r_2/agent_b agent_b', 'r_2/agent_a agent_a'],
  },
  {
    code: 'REVIEW_REQUESTS_CHANGES',
    state: 'by the reviewer',
    story: tell(submitted, review('agent_b', 'REQUEST_CHANGES')),
    blockers: ['r_1/agent_b agent_a'],
  },
  {
    code: 'REVIEW_REQUESTS_CHANGES',
    state: 'by both',
    story: tell(certified, review('agent_b', 'REQUEST_CHANGES'), review('agent_a', 'REQUEST_CHANGES')),
    blockers: ['r_1/agent_b agent_a', 'r_1/agent_a agent_a'],
  },
  ...MODERATED_STATES,
];
