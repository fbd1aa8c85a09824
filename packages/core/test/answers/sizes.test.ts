import { beforeAll, describe, expect, test } from 'vitest';
import { type Given, given, type OperationName, type PastEvent } from '../../src/testing/index.ts';
import { submitted } from '../story.ts';
import {
  answeredQuestions,
  decisions,
  evidence,
  findings,
  interventions,
  obligations,
  questions,
  recommendations,
  reviews,
  tasks,
} from './filled.ts';

type Answer = Readonly<Record<string, unknown>> & {
  readonly left_out?: { readonly count: number; readonly how: string };
};

type Reader = 'agent_a' | 'agent_b' | 'moderator' | 'owner';
/** One list of one answer. `least`: the minimum number of shown records. `total`: the number of shown and left out records. */
type Row = readonly [
  reader: Reader,
  operation: OperationName,
  input: object,
  list: string,
  least: number,
  total: number | 'others too',
];

/** Describes the tests of one sequence of past events. All reads share one `given`, because folding takes long. */
function describeFilled(what: string, past: () => readonly PastEvent[], rows: readonly Row[]): void {
  describe(`a session with ${what}`, () => {
    let filled: Given;
    beforeAll(() => {
      filled = given(past());
    });

    test.each(rows)('%s › %s %j fits into an answer', (...[reader, operation, input, list, least, total]) => {
      const answer = filled.when(operation, input as never, reader).reply() as Answer;
      const text = JSON.stringify(answer);
      expect(Buffer.byteLength(text)).toBeLessThan(1_000_000);
      // An MCP answer contains the answer twice: as text and as structured content. Owners do not use MCP.
      if (reader !== 'owner') expect(Buffer.byteLength(text + JSON.stringify(text))).toBeLessThan(1_000_000);
      const shown = answer[list];
      const count = Array.isArray(shown) ? shown.length : 0;
      expect(count).toBeGreaterThanOrEqual(least);
      if (total !== 'others too') expect(count + (answer.left_out?.count ?? 0)).toBe(total);
      if (answer.left_out) expect(answer.left_out.how).toMatch(/\.$/);
      if (list !== 'events') expect(JSON.stringify(shown)).not.toContain('excerpt');
    });
  });
}

describeFilled('100 open decisions and 100 that were withdrawn', () => decisions(100, 100), [
  ['agent_a', 'list_decisions', {}, 'decisions', 3, 200],
  ['agent_a', 'list_decisions', { after: 0 }, 'decisions', 3, 200],
  ['agent_a', 'list_decisions', { after: 198 }, 'decisions', 2, 2],
  ['agent_a', 'list_blockers', {}, 'blockers', 100, 101],
  ['owner', 'view', {}, 'decisions', 6, 200],
  ['owner', 'records', { type: 'decision', after: 197 }, 'records', 3, 3],
]);

describeFilled('200 findings, each under a hold', () => findings(200), [
  ['agent_a', 'list_findings', {}, 'findings', 3, 200],
  ['moderator', 'get_moderator_findings', { after: 197 }, 'findings', 3, 3],
  ['moderator', 'get_moderator_status', {}, 'open_findings', 1, 'others too'],
  ['moderator', 'get_moderator_status', {}, 'active_holds', 10, 'others too'],
  ['agent_a', 'read_session_state', {}, 'holds', 20, 200],
  ['agent_a', 'list_blockers', { after: 390 }, 'blockers', 11, 11],
  ['owner', 'view', {}, 'findings', 1, 'others too'],
  ['owner', 'view', {}, 'waits', 30, 'others too'],
  ['owner', 'records', { type: 'hold', after: 198 }, 'records', 2, 2],
]);

describeFilled('100 directives and 100 questions of the moderator', () => interventions(100, 100), [
  ['agent_a', 'read_session_state', {}, 'open_interventions', 1, 'others too'],
  ['agent_a', 'read_session_state', {}, 'owner_directives', 3, 'others too'],
  ['agent_a', 'list_interventions', {}, 'interventions', 20, 200],
  ['agent_a', 'list_interventions', { after: 198 }, 'interventions', 2, 2],
  ['moderator', 'get_moderator_questions', {}, 'questions', 3, 100],
  ['moderator', 'get_moderator_status', {}, 'open_questions', 2, 100],
  ['owner', 'view', {}, 'interventions', 20, 'others too'],
]);

describeFilled('100 questions of the moderator that are half answered', () => answeredQuestions(100), [
  ['moderator', 'get_moderator_questions', {}, 'questions', 3, 100],
  ['moderator', 'wait_for_activity', { wait_seconds: 0 }, 'events', 3, 'others too'],
  ['moderator', 'get_session_events', { limit: 100 }, 'events', 3, 'others too'],
]);

describeFilled('500 tasks of the owner', () => tasks(500), [
  ['agent_a', 'poll_actions', {}, 'actions', 20, 500],
  ['agent_a', 'read_session_state', {}, 'pending_actions', 10, 'others too'],
  ['owner', 'view', {}, 'actions', 40, 500],
]);

describeFilled('2,000 findings that the author answers', () => obligations(2_000), [
  ['agent_a', 'poll_actions', {}, 'actions', 500, 2_000],
  ['agent_a', 'read_session_state', {}, 'pending_actions', 300, 'others too'],
]);

describeFilled('500 open questions and 500 that were answered', () => questions(500, 500), [
  ['agent_b', 'read_session_state', {}, 'open_questions', 20, 250],
  ['owner', 'view', {}, 'questions', 20, 'others too'],
]);

describeFilled('200 recommendations', () => recommendations(200), [
  ['owner', 'view', {}, 'recommendations', 20, 'others too'],
]);

describeFilled('50 items of evidence of each agent on one attempt', () => evidence(50), [
  ['agent_a', 'verify_board', {}, 'scenarios', 2, 2],
  ['agent_a', 'verify_board', { scenario_id: 'test-reserve' }, 'scenarios', 1, 1],
  ['owner', 'board', {}, 'scenarios', 2, 2],
]);

describeFilled('100 failed attempts', () => evidence(1, 100), [
  ['agent_a', 'verify_board', {}, 'defects', 5, 100],
  ['agent_a', 'verify_board', { scenario_id: 'test-reserve', attempt: 3 }, 'defects', 1, 100],
  ['owner', 'board', { scenario_id: 'test-reserve' }, 'defects', 1, 100],
]);

describeFilled('100 reviews of the moderator', () => reviews(submitted, 100), [
  ['moderator', 'get_contract_review', {}, 'reviews', 3, 100],
  ['moderator', 'get_contract_review', { after: 98 }, 'reviews', 2, 2],
  ['owner', 'view', {}, 'moderator_reviews', 6, 100],
]);
