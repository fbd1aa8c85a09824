import { type Builder, otherBuilder } from '../../kernel/roles.ts';
import type { Contract } from '../document/contract.ts';
import { ids, ownTasks, tasksOfOther, testList, type Work, workOf } from './handoff-work.ts';
import { dataModelSections, interfaceSection } from './interfaces.ts';
import { code, codes, inline, lines, prose, table } from './markdown.ts';
import { artifactTable, dependencyTable, gateSections, riskTable, safetyList } from './plan-tables.ts';
import { codesOrNone, covering, listOrNone, NONE, numbered, stack, textList } from './wording.ts';

interface AgentFacts {
  readonly name: string;
  readonly repository: string;
  readonly service: string;
}

/** Input of a handoff in addition to the contract. */
export interface HandoffFacts {
  readonly revisionId: string;
  readonly contentHash: string;
  readonly mission: {
    readonly title: string;
    readonly objective: string;
    readonly guardrails: readonly string[];
    readonly requirements: readonly { readonly requirement_id: string; readonly text: string }[];
    readonly agents: Readonly<Record<Builder, AgentFacts>>;
  };
  /** Decisions whose ids the contract lists. */
  readonly decisions: readonly { readonly decisionId: string; readonly topic: string; readonly position: string }[];
}

/**
 * The document from which one builder builds without the transcript. Pure; texts of agents are escaped as in the
 * contract document.
 */
export function renderHandoff(contract: Contract, builder: Builder, facts: HandoffFacts): string {
  const { mission } = facts;
  const work = workOf(contract, builder);
  const requirements = new Map(mission.requirements.map(({ requirement_id, text }) => [requirement_id, text]));
  const document = stack(
    `# Handoff for ${code(builder)}: ${inline(mission.title)}`,
    `All that ${code(builder)} needs to build its part. It holds for exactly the revision named here.`,
    whoIsWho(builder, mission.agents),
    agreement(contract, facts),
    '## Mission',
    prose(mission.objective),
    '### Guardrails',
    textList(mission.guardrails),
    '### Requirements',
    listOrNone(mission.requirements.map(({ requirement_id: id, text }) => `${code(id)} ${lines(text, '  ')}`)),
    `## Contract: ${inline(contract.title)}`,
    prose(contract.summary),
    '### In scope',
    textList(contract.scope.in),
    '### Out of scope',
    textList(contract.scope.out),
    '## Your part at a glance',
    glance(contract, builder, work),
    '## Your tasks, in order',
    ownTasks(work, builder, requirements),
    ...interfaceParts(contract, builder),
    '## Data models',
    dataModelSections(contract.data_models, '###'),
    '## Decisions',
    decisionList(facts),
    '## Safety conditions',
    safetyOf(contract, work),
    ...testParts(contract, work),
    '## Gates',
    ...gateSections(contract.gates, '###'),
    ...ownSections(contract, builder),
    '## Rollout',
    numbered(contract.rollout.steps),
    '### Rollback',
    prose(contract.rollout.rollback),
    `## Tasks of ${code(otherBuilder(builder))}`,
    tasksOfOther(contract, builder),
    '## How to begin',
    beginning(contract, facts, work),
  );
  return `${document}\n`;
}

function whoIsWho(builder: Builder, agents: HandoffFacts['mission']['agents']): string {
  const other = otherBuilder(builder);
  const row = (label: string, show: (role: Builder) => string) => [label, show(builder), show(other)];
  return table(
    ['', 'You', 'The other agent'],
    [
      row('Role', code),
      row('Name', (role) => inline(agents[role].name)),
      row('Service', (role) => code(agents[role].service)),
      row('Repository', (role) => code(agents[role].repository)),
    ],
  );
}

const agreement = ({ fixture_version }: Contract, { revisionId, contentHash }: HandoffFacts): string =>
  table(
    ['Field', 'Value'],
    [
      ['`revision_id`', code(revisionId)],
      ['`content_hash`', code(contentHash)],
      ['`fixture_version`', code(fixture_version)],
    ],
  );

const providedBy = ({ interfaces }: Contract, builder: Builder) =>
  interfaces.filter(({ provider }) => provider === builder);

const consumedBy = ({ interfaces }: Contract, builder: Builder) =>
  interfaces.filter(({ consumers }) => consumers.includes(builder));

const glance = (contract: Contract, builder: Builder, { tasks, tests, waitsFor }: Work): string =>
  listOrNone([
    `Tasks assigned to you: ${codesOrNone(ids(tasks))}`,
    `Interfaces you provide: ${codesOrNone(ids(providedBy(contract, builder)))}`,
    `Interfaces you consume: ${codesOrNone(ids(consumedBy(contract, builder)))}`,
    `Tests you execute: ${codesOrNone(ids(tests.executed))}`,
    `Tests whose faults you mend: ${codesOrNone(ids(tests.responsible))}`,
    `Tasks of the other agent you wait for: ${codesOrNone([...new Set(tasks.flatMap((task) => ids(waitsFor(task))))])}`,
  ]);

function interfaceParts(contract: Contract, builder: Builder): string[] {
  const provided = providedBy(contract, builder);
  const consumed = consumedBy(contract, builder).filter(({ provider }) => provider !== builder);
  const sections = (items: Contract['interfaces']) =>
    items.length > 0 ? items.map((item) => interfaceSection(item, '###')) : [NONE];
  return ['## Interfaces you provide', ...sections(provided), '## Interfaces you consume', ...sections(consumed)];
}

const decisionList = ({ decisions }: HandoffFacts): string =>
  listOrNone(
    decisions.map(
      ({ decisionId, topic, position }) => `${code(decisionId)} ${inline(topic)}\n  - ${lines(position, '    ')}`,
    ),
  );

/** All safety conditions, since each binds both builders; marks those that the builder's own work keeps. */
function safetyOf(contract: Contract, { tasks, tests }: Work): string {
  const own = new Set(ids([...tasks, ...tests.executed, ...tests.mended, ...contract.gates]));
  return safetyList(contract, (covered_by, kinds) => {
    const part = covered_by.filter((id) => own.has(id));
    return part.length > 0 ? `  - **Yours to keep** by ${covering(part, kinds)}` : '';
  });
}

const testParts = (contract: Contract, { tests }: Work): string[] => [
  '## Tests',
  'Both agents give evidence for every test; the one that did not start an attempt gives the verdict.',
  '### You execute',
  testList(tests.executed, contract),
  '### The other executes, you mend',
  testList(tests.mended, contract),
  '### The other executes and mends, you give evidence',
  testList(tests.others, contract),
];

const ownSections = (contract: Contract, builder: Builder): string[] => [
  '## Your risks',
  riskTable(contract.risks.filter(({ assignee }) => assignee === builder)),
  '## Dependencies you bring',
  dependencyTable(contract.dependencies.filter(({ assignee }) => assignee === builder)),
  '## Artifacts for you',
  artifactTable(contract.artifacts.filter(({ audience }) => audience === 'both' || audience === builder)),
];

const beginning = ({ fixture_version }: Contract, { revisionId, contentHash }: HandoffFacts, work: Work): string =>
  [
    'Call `list_artifacts`. Fetch every file it assigns to you with `fetch_artifact`, compute its SHA-256, and call `confirm_receipt` with the filename and that checksum.',
    'Call `get_readiness_questions` and answer each from this document.',
    `Call \`submit_readiness\` for \`revision_id\` ${code(revisionId)}, \`content_hash\` ${code(contentHash)} and \`fixture_version\` ${code(fixture_version)}: READY_TO_CODE, or BLOCKED with what blocks you.`,
    'Write no code before the action BEGIN_BUILD; `poll_actions` shows it once the owner has authorized the build.',
    firstStep(work),
    'When your part runs, declare it with `verify_handshake` and follow `verify_next`.',
  ]
    .map((text, index) => `${index + 1}. ${text}`)
    .join('\n');

function firstStep({ tasks, waitsFor }: Work): string {
  const [first] = tasks;
  if (!first) return 'No task is yours: help to keep the gates, and give evidence for the tests.';
  const free = tasks.filter(({ depends_on }) => depends_on.length === 0);
  if (free.length > 0) return `Begin with ${codes(ids(free))}: nothing stands before.`;
  const awaited = ids(waitsFor(first));
  if (awaited.length === 0) return `Begin with ${code(first.id)}.`;
  return `Begin with ${code(first.id)}, against the interfaces as agreed here; it is done when ${codes(awaited)} of the other agent is there too.`;
}
