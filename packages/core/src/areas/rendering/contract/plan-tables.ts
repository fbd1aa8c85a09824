import { type Contract, GATE_STAGES } from '../../document/contract.ts';
import { code, inline } from '../markdown.ts';
import { covering, idAndTitle, kindsOf, listOrNone, tableOrNone } from '../wording.ts';

/** Tables and lists that both the contract document and the handoffs contain. */

export const gateSections = (gates: Contract['gates'], heading: string): string[] =>
  GATE_STAGES.flatMap((stage) => [
    `${heading} Before ${stage}`,
    tableOrNone(
      ['Gate', 'Condition', 'Evidence'],
      gates
        .filter((gate) => gate.stage === stage)
        .map((gate) => [idAndTitle(gate), inline(gate.condition), inline(gate.evidence ?? '')]),
    ),
  ]);

export const riskTable = (risks: Contract['risks']): string =>
  tableOrNone(
    ['Risk', 'What may happen', 'Mitigation', 'Assignee'],
    risks.map(({ id, text, mitigation, assignee }) => [code(id), inline(text), inline(mitigation), code(assignee)]),
  );

export function safetyList(contract: Contract): string {
  const kinds = kindsOf(contract);
  return listOrNone(
    contract.safety_conditions.map(
      ({ id, text, covered_by }) =>
        `${code(id)} ${inline(text)}\n  - Kept by: ${covering(covered_by, kinds) || 'nothing yet'}`,
    ),
  );
}

export const dependencyTable = (dependencies: Contract['dependencies']): string =>
  tableOrNone(
    ['Dependency', 'Version', 'Brought by', 'Why'],
    dependencies.map(({ name, version = '', assignee, why }) => [
      code(name),
      code(version),
      code(assignee),
      inline(why),
    ]),
  );

export const artifactTable = (artifacts: Contract['artifacts']): string =>
  tableOrNone(
    ['File', 'Media type', 'For', 'Bytes'],
    artifacts.map(({ filename, media_type, audience, content }) => [
      code(filename),
      code(media_type),
      audience === 'both' ? 'both' : code(audience),
      String(Buffer.byteLength(content)),
    ]),
  );
