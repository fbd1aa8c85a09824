import {
  answers,
  appoints,
  begin,
  building,
  by,
  certified,
  judges,
  moderates,
  stopsModerator,
  submit,
  submitted,
  tell,
} from '../model/starting-states.ts';
import type { BlockedState } from './blocked-state.ts';

const held = tell(certified, moderates('Not without a rollback.'));

/** States with blockers that the moderator causes. In some of them no moderator can act, and the owner is responsible. */
export const MODERATED_STATES: readonly BlockedState[] = [
  { code: 'HOLD_ACTIVE', state: 'on a finding', story: held, blockers: ['h_1 moderator'] },
  {
    code: 'HOLD_ACTIVE',
    state: 'while the build goes on',
    story: tell(building, moderates('Not without a rollback.')),
    blockers: ['h_1 moderator'],
  },
  {
    code: 'HOLD_ACTIVE',
    state: 'two of them',
    story: tell(held, moderates('Nor without a plan.')),
    blockers: ['h_1 moderator', 'h_2 moderator'],
  },
  {
    code: 'HOLD_ACTIVE',
    state: 'of a moderator that is stopped',
    story: tell(held, stopsModerator),
    blockers: ['h_1 owner'],
  },
  {
    code: 'HOLD_ACTIVE',
    state: 'of a moderator whose access was revoked',
    story: tell(held, by('owner', 'revoke', { role: 'moderator' })),
    blockers: ['h_1 owner'],
  },
  {
    code: 'FINDING_UNANSWERED',
    state: 'of the moderator',
    story: tell(submitted, moderates()),
    blockers: ['f_1 agent_a', 'f_1 agent_b'],
  },
  {
    code: 'FINDING_UNRESOLVED',
    state: 'of the moderator, before there is an author',
    story: tell(begin(), moderates()),
    blockers: ['f_1 moderator'],
  },
  {
    code: 'FINDING_UNRESOLVED',
    state: 'of the moderator, answered',
    story: tell(submitted, moderates(), answers('agent_a'), answers('agent_b')),
    blockers: ['f_1 moderator'],
  },
  {
    code: 'FINDING_UNRESOLVED',
    state: 'of a moderator that is stopped',
    story: tell(submitted, moderates(), answers('agent_a'), answers('agent_b'), stopsModerator),
    blockers: ['f_1 owner'],
  },
  {
    code: 'MODERATOR_REVIEW_REQUESTS_CHANGES',
    state: 'of the latest revision',
    story: tell(certified, judges('REQUEST_CHANGES')),
    blockers: ['r_1/moderator agent_a'],
  },
  {
    code: 'MODERATOR_REVIEW_REQUESTS_CHANGES',
    state: 'again after it was overridden',
    story: tell(
      certified,
      judges('REQUEST_CHANGES'),
      by('owner', 'overrideReview', { role: 'moderator', reason: 'Known.' }),
      judges('COMMENT'),
      judges('REQUEST_CHANGES'),
      appoints('agent_b'),
    ),
    blockers: ['r_1/moderator agent_b'],
  },
  {
    code: 'MODERATOR_REVIEW_REQUESTS_CHANGES',
    state: 'with an earlier revision judged as well',
    story: tell(submitted, judges('REQUEST_CHANGES'), submit('r_1'), judges('REQUEST_CHANGES', 'r_2')),
    blockers: ['r_2/moderator agent_a'],
  },
];
