import { z } from 'zod';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { namedObject } from '../../kernel/operation/documented.ts';
import { viewAttachment } from '../attachments/rules.ts';
import { AttachmentView } from '../attachments/state.ts';
import { GateRun, GateStage, type Outline } from '../document/contract.ts';
import { EvidenceLevelName } from '../evidence.ts';
import { MessageCursor } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { levelOfItem } from './run.ts';
import { missingWords } from './scenarios.ts';
import { isDeclaredBy } from './state.ts';

/**
 * The gates of the contract that the run of a command has to meet. Any other gate is met by what the agents report in words after
 * the step, which the service does not judge.
 */

/** Where a gate stands that demands a run. `missing` contains no text of an agent but names of tests. */
export const GateStanding = namedObject('GateStanding', {
  gate_id: z.string(),
  stage: GateStage,
  run: GateRun,
  level: EvidenceLevelName.nullable().describe('Of the run that meets it; null while none does.'),
  message_id: MessageCursor.optional().describe('Its last run.'),
  missing: z.array(z.string()),
  attachments: z.array(AttachmentView).optional(),
});
export type GateStanding = z.output<typeof GateStanding>;

type Gate = Outline['gates'][number];
type Stage = Gate['stage'];

/** The gates of the current manifest that demand a run. */
export const gateStandings = (state: SessionState): GateStanding[] =>
  (state.manifest.current ? (state.contract.outline?.gates ?? []) : []).flatMap((gate) =>
    gate.run ? [standingOf(state, gate, gate.run)] : [],
  );

/** The gates of a stage that demand a run, and that no run meets. */
export const missingGates = (state: SessionState, stage: Stage): GateStanding[] =>
  gateStandings(state).filter((gate) => gate.stage === stage && gate.level === null);

/** Gates with who must run what, for a sentence: `gate-deploy (agent_a)`. */
export const gateWords = (gates: readonly GateStanding[]): string[] =>
  gates.map(({ gate_id, run }) => `${gate_id} (${run.by})`);

function standingOf(state: SessionState, { id, stage }: Gate, run: z.output<typeof GateRun>): GateStanding {
  const last = lookUp(state.verify.gates, id);
  const missing = missingOf(state, id, run);
  const attachments = state.attachments.filter(({ gate_id }) => gate_id === id).map(viewAttachment);
  return {
    gate_id: id,
    stage,
    run,
    level: missing.length > 0 || !last ? null : levelOfItem({ run: last }),
    ...(last && { message_id: last.message_id }),
    missing,
    ...(attachments.length > 0 && { attachments }),
  };
}

function missingOf({ verify }: SessionState, id: string, { by }: z.output<typeof GateRun>): string[] {
  const last = lookUp(verify.gates, id);
  if (!last) return [`a recorded run by ${by}`];
  const isOld = !isDeclaredBy(verify, by, last.commit);
  const isShort = last.not_recorded?.some((reason) => reason !== 'OTHER_COMMAND');
  return [
    ...(isShort || isOld ? [`a recorded run by ${by} on its declared commit`] : []),
    ...(last.not_recorded?.includes('OTHER_COMMAND') ? ['a run of the command that the contract names for it'] : []),
    ...(last.failed ? ['a run that does not fail'] : []),
    ...(last.named ?? []).flatMap(({ name: test, status }) =>
      status === 'skipped' || status === 'missing' ? [missingWords({ builder: by, test, status })] : [],
    ),
  ];
}
