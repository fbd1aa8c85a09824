import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/event.ts';
import { valuesOf } from '../../kernel/history.ts';
import { isBuilder, type Role } from '../../kernel/roles.ts';
import { RevisionId } from '../fields.ts';
import { AuthorizationsView, viewAuthorizations } from '../manifest/schemas.ts';
import { renderBoard } from '../rendering/board.ts';
import { PHASES } from '../session/state.ts';
import type { SessionState } from '../state.ts';
import { certificationOf } from './certification.ts';
import { evaluateEvidence } from './evaluation.ts';
import { verifyEvents } from './events.ts';
import { nextFor } from './next.ts';
import { type Scenario, scenariosOf } from './scenarios.ts';
import {
  type AttemptView,
  CertificationView,
  DefectView,
  type EvidenceView,
  HandshakeView,
  NextItemView,
  ScenarioView,
  viewDefect,
  viewEvaluation,
  viewHandshake,
  viewNext,
} from './schemas.ts';
import type { Attempt } from './state.ts';

/** Spec 2: the test board. */
export const BoardView = z.strictObject({
  phase: z.enum(PHASES),
  manifest_id: z.string().nullable(),
  revision_id: RevisionId.nullable(),
  fixture_version: z.string().nullable(),
  handshakes: z.strictObject({ agent_a: HandshakeView.nullable(), agent_b: HandshakeView.nullable() }),
  scenarios: z.array(ScenarioView),
  defects: z.array(DefectView),
  next_actions: z.array(NextItemView).describe('Your own, as verify_next gives them.'),
  certification: CertificationView,
  authorizations: AuthorizationsView,
  markdown: z.string().describe('The board as a Markdown table.'),
});

/** The latest attempts' evidence, which the log holds. */
export const boardSeqs = (state: SessionState): number[] =>
  scenariosOf(state).flatMap(({ record }) => record.attempts.at(-1)?.evidence.map(({ seq }) => seq) ?? []);

export function viewBoard(state: SessionState, role: Role, loaded: readonly LoggedEvent[]): z.output<typeof BoardView> {
  const { current } = state.manifest;
  const { agent_a, agent_b } = state.verify.handshakes;
  const checks = certificationOf(state);
  const evidence = new Map(loaded.flatMap((event) => viewEvidence(event)));
  const board = {
    scenarios: scenariosOf(state).map((scenario) => viewScenario(scenario, evidence)),
    defects: valuesOf(state.verify.defects).map(viewDefect),
    certification: { certified: checks.every(({ ok }) => ok), checks: checks.map((check) => ({ ...check })) },
  };
  return {
    phase: state.profile.phase,
    manifest_id: current?.manifest_id ?? null,
    revision_id: current?.revision_id ?? null,
    fixture_version: current?.fixture_version ?? null,
    handshakes: { agent_a: agent_a ? viewHandshake(agent_a) : null, agent_b: agent_b ? viewHandshake(agent_b) : null },
    ...board,
    next_actions: isBuilder(role) ? viewNext(nextFor(state, role)) : [],
    authorizations: viewAuthorizations(state.manifest),
    markdown: renderBoard(board),
  };
}

type Evidence = z.output<typeof EvidenceView>;

/** The events were chosen by the state; after a failover their numbers may stand for others. */
function viewEvidence({ seq, at, actor, data }: LoggedEvent): [number, Evidence][] {
  const parsed = verifyEvents['evidence.submitted'].data.safeParse(data);
  if (!parsed.success || !isBuilder(actor)) return [];
  const { scenario_id: _scenario, attempt: _attempt, ...item } = parsed.data;
  return [[seq, { by: actor, ...item, submitted_at: at }]];
}

function viewScenario(
  { test, status, record, waitsFor }: Scenario,
  evidence: ReadonlyMap<number, Evidence>,
): z.output<typeof ScenarioView> {
  const waiting = status === 'WAITING' ? `Waits for ${waitsFor.join(', ')}.` : null;
  return {
    scenario_id: test.id,
    title: test.title,
    status,
    reason: status === 'STALE' ? record.reason : waiting,
    executor: test.executor,
    responsible: test.responsible,
    requirements: [...test.requirements],
    interfaces: [...test.interfaces],
    depends_on: [...test.depends_on],
    attempts: record.attempts.map((attempt) => viewAttempt(attempt, test.evidence_policy, evidence)),
  };
}

function viewAttempt(
  { number, status, startedBy, at, commits, evidence: items, verdict, reason }: Attempt,
  policy: Scenario['test']['evidence_policy'],
  evidence: ReadonlyMap<number, Evidence>,
): z.output<typeof AttemptView> {
  return {
    attempt: number,
    status,
    started_by: startedBy,
    started_at: at,
    commits: { ...commits },
    evidence_count: items.length,
    evidence: items.flatMap(({ seq }) => evidence.get(seq) ?? []),
    evaluation: viewEvaluation(evaluateEvidence(items, policy)),
    verdict: verdict && { by: verdict.by, verdict: verdict.verdict, note: verdict.note, given_at: verdict.at },
    reason,
  };
}
