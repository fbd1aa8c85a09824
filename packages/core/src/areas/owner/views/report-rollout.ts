import type { LoggedEvent } from '../../../kernel/log/event.ts';
import { valuesOf } from '../../../kernel/log/persistent-collections.ts';
import type { ReadDocument } from '../../../kernel/operation/operation.ts';
import { BUILDERS, type Builder } from '../../../kernel/roles.ts';
import { actionEvents } from '../../actions/events.ts';
import { reportKey } from '../../actions/gate-reports.ts';
import type { Action } from '../../actions/schemas.ts';
import { Contract } from '../../document/contract.ts';
import type { ReportedStage, ReportFacts } from '../../rendering/report/facts.ts';
import type { SessionState } from '../../state.ts';
import { namesIn } from './report-names.ts';

const STAGES = ['deployment', 'activation'] as const;
type Stage = (typeof STAGES)[number];

export interface RolloutSources {
  readonly loaded: readonly LoggedEvent[];
  readonly document: ReadDocument;
}

/** SHA-256 of the approved contract. Empty if no contract is approved. */
export const approvedHash = ({ manifest: { current } }: SessionState): string[] =>
  current ? [current.content_hash] : [];

/** Numbers of the stored events with the reports of the builders on the gates. */
export const gateReportSeqs = (state: SessionState): number[] =>
  STAGES.flatMap((stage) => BUILDERS.flatMap((builder) => reportActions(state, builder, stage)))
    .filter(({ status }) => status === 'COMPLETED')
    .flatMap(({ completed_seq }) => completed_seq ?? []);

/** The approved contract. Null if no contract is approved, or if the approved contract violates the current schema. */
export function approvedContract(state: SessionState, document: ReadDocument): Contract | null {
  const [hash] = approvedHash(state);
  return hash === undefined ? null : (Contract.safeParse(JSON.parse(document(hash))).data ?? null);
}

/** Collects the rollout of the approved contract. Null if no contract is approved. */
export function rolloutOf(
  state: SessionState,
  contract: Contract | null,
  { loaded }: Pick<RolloutSources, 'loaded'>,
): ReportFacts['rollout'] {
  if (!state.manifest.current) return null;
  const { steps = [], rollback = '' } = contract?.rollout ?? {};
  const stages = STAGES.map((stage) => ({
    stage,
    isAuthorized: isAuthorized(state, stage),
    gates: (contract?.gates ?? []).filter((gate) => gate.stage === stage),
    reports: isAuthorized(state, stage)
      ? BUILDERS.flatMap((builder) => reportsOf(state, { builder, stage, loaded }))
      : [],
  }));
  return { steps, rollback, stages };
}

const isAuthorized = ({ manifest }: SessionState, stage: Stage): boolean =>
  stage === 'deployment' ? manifest.deployment_authorized : manifest.activation_authorized;

const reportActions = (state: SessionState, builder: Builder, stage: Stage): Action[] =>
  valuesOf(state.actions.all).filter(
    ({ type, obligation }) => type === 'REPORT_GATES' && obligation === reportKey(builder, state, stage),
  );

interface Reporter {
  readonly builder: Builder;
  readonly stage: Stage;
  readonly loaded: readonly LoggedEvent[];
}

/**
 * The reports of a builder on a stage. If the latest authorization of the stage has no report of the builder, the last
 * element has the note null.
 */
function reportsOf(state: SessionState, { builder, stage, loaded }: Reporter): ReportedStage['reports'] {
  const by = namesIn(state)(builder);
  const reports = reportActions(state, builder, stage).map((action) => ({ by, at: '', ...reportIn(action, loaded) }));
  const isReported = reports.at(-1)?.note !== null && reports.length > 0;
  const given = reports.filter(({ note }) => note !== null);
  return isReported ? given : [...given, { by, at: '', note: null }];
}

/** The report with which the builder completed the action. The note is null if the service closed the action. */
function reportIn({ action_id, completed_seq }: Action, loaded: readonly LoggedEvent[]) {
  const event = loaded.find(({ seq, kind }) => seq === completed_seq && kind === 'action.completed');
  const data = actionEvents['action.completed'].data.safeParse(event?.data).data;
  if (!event || data?.action_id !== action_id) return { note: null };
  return { at: event.at, note: data.note ?? '' };
}
