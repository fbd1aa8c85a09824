import { type Builder, otherBuilder } from '../../kernel/roles.ts';
import {
  ARTIFACT_NAMES,
  byId,
  type Contract,
  type ContractTask,
  type ContractTest,
  GATE_STAGES,
  responsibleFor,
} from '../document/contract.ts';
import { leftOutOf, type ProfileTerms } from '../profiles.ts';
import type { Profile } from '../session/state.ts';
import { type DecidedText, decisionList } from './contract.ts';
import {
  bullets,
  code,
  codes,
  codesOrNone,
  covering,
  exact,
  inline,
  kindsOf,
  listOrNone,
  NONE,
  stack,
  table,
} from './markdown.ts';

const LISTS = [
  ...(['interfaces', 'data_models', 'tasks', 'tests', 'gates', 'risks', 'safety_conditions'] as const),
  ...(['dependencies', 'artifacts'] as const),
] as const;

interface Identified {
  readonly id: string;
}

/** Makes the references of a handoff to records of the contract, in Markdown: by id and by JSON Pointer (RFC 6901). */
interface Pointers {
  at(record: object, member?: string): string;
  of(record: Identified): string;
  all(records: readonly Identified[]): string;
}

function pointersOf(contract: Contract): Pointers {
  const places = new Map<object, string>(
    LISTS.flatMap((list) => contract[list].map((record, index): [object, string] => [record, `/${list}/${index}`])),
  );
  const at = (record: object, member = ''): string => code(`${places.get(record) ?? ''}${member}`);
  const of = (record: Identified): string => `${code(record.id)} ${at(record)}`;
  return { at, of, all: (records) => records.map(of).join(', ') || 'none' };
}

/**
 * The tasks in the order of the contract, but each after the tasks on which it depends. If tasks depend on each other
 * in a cycle, the dependency that closes the cycle is ignored.
 */
export function inDependencyOrder(tasks: readonly ContractTask[]): ContractTask[] {
  const tasksById = byId(tasks);
  const seen = new Set<ContractTask>();
  const ordered: ContractTask[] = [];
  for (const start of tasks) {
    if (seen.has(start)) continue;
    seen.add(start);
    // A loop instead of recursion, because a chain of tasks can be long enough to exhaust the stack.
    const path = [{ task: start, next: 0 }];
    for (let step = path.at(-1); step; step = path.at(-1)) {
      const wanted = step.task.depends_on[step.next];
      step.next += 1;
      if (wanted === undefined) {
        ordered.push(step.task);
        path.pop();
        continue;
      }
      const dependency = tasksById.get(wanted);
      if (!dependency || seen.has(dependency)) continue;
      seen.add(dependency);
      path.push({ task: dependency, next: 0 });
    }
  }
  return ordered;
}

interface Work {
  /** The builder's tasks. Each task comes after the tasks on which it depends. */
  readonly tasks: readonly ContractTask[];
  /** The tasks of the other builder on which a task depends. */
  waitsFor(task: ContractTask): readonly ContractTask[];
  /** The tasks of both builders that depend on a task. */
  waitingFor(task: ContractTask): readonly ContractTask[];
  /**
   * The tests by the builder's part in them. `executed`: the builder executes the test. `fixedOnly`: the builder fixes
   * the defects, but the other builder executes the test. `others`: the builder does neither.
   */
  readonly tests: Readonly<Record<'executed' | 'fixedOnly' | 'others', readonly ContractTest[]>>;
}

function workOf(contract: Contract, builder: Builder): Work {
  const ordered = inDependencyOrder(contract.tasks);
  const tasksById = byId(contract.tasks);
  const dependents = dependentsIn(ordered);
  const isResponsible = (test: ContractTest) => responsibleFor(contract, test) === builder;
  const notExecuted = contract.tests.filter(({ executor }) => executor !== builder);
  return {
    tasks: ordered.filter(({ assignee }) => assignee === builder),
    waitsFor: ({ depends_on }) =>
      [...new Set(depends_on)].flatMap((id) => tasksById.get(id) ?? []).filter(({ assignee }) => assignee !== builder),
    waitingFor: ({ id }) => dependents.get(id) ?? [],
    tests: {
      executed: contract.tests.filter(({ executor }) => executor === builder),
      fixedOnly: notExecuted.filter(isResponsible),
      others: notExecuted.filter((test) => !isResponsible(test)),
    },
  };
}

function dependentsIn(tasks: readonly ContractTask[]): ReadonlyMap<string, readonly ContractTask[]> {
  const dependents = new Map<string, ContractTask[]>();
  for (const task of tasks) {
    for (const id of new Set(task.depends_on)) {
      const known = dependents.get(id);
      if (known) known.push(task);
      else dependents.set(id, [task]);
    }
  }
  return dependents;
}

/** The builder's tasks as a Markdown checklist, with the dependencies between the tasks. */
const ownTasks = (work: Work, builder: Builder, pointers: Pointers): string =>
  work.tasks.map((task) => `- [ ] ${pointers.of(task)}\n${bullets([needsOf(task, work, builder)], '  ')}`).join('\n') ||
  NONE;

function needsOf(task: ContractTask, work: Work, builder: Builder): string {
  const other = code(otherBuilder(builder));
  const awaited = work.waitsFor(task);
  const foreign = new Set(ids(awaited));
  const own = task.depends_on.filter((id) => !foreign.has(id));
  const waiting = work.waitingFor(task);
  const ownWaiting = waiting.filter(({ assignee }) => assignee === builder);
  const otherWaiting = waiting.filter(({ assignee }) => assignee !== builder);
  return [
    ...(task.depends_on.length === 0 ? ['waits for nothing'] : []),
    ...(own.length > 0 ? [`after your own ${codes(own)}`] : []),
    ...(awaited.length > 0 ? [`waits for ${codes(ids(awaited))} of ${other}`] : []),
    ...(ownWaiting.length > 0 ? [`before your own ${codes(ids(ownWaiting))}`] : []),
    ...(otherWaiting.length > 0 ? [`${other} waits for it with ${codes(ids(otherWaiting))}`] : []),
  ].join('; ');
}

const ids = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);

/** A cited decision that is no longer active, and the decision that replaced it. */
export interface ReplacedDecision {
  readonly id: string;
  readonly status: string;
  readonly replacement: string | undefined;
}

export interface HandoffFacts {
  readonly revision_id: string;
  readonly content_hash: string;
  readonly terms: Pick<ProfileTerms, 'handoffStandsAlone' | 'asksReadiness' | 'optional'>;
  readonly mission: Pick<Profile, 'title' | 'objective' | 'guardrails' | 'requirements' | 'agents'>;
  /** The decisions that the contract lists by id. */
  readonly decisions: readonly DecidedText[];
  /** The decisions that a text of the contract or of a decision cites although they are no longer active. */
  readonly replaced: readonly ReplacedDecision[];
}

type Requirement = Profile['requirements'][number];

interface Part {
  readonly contract: Contract;
  readonly builder: Builder;
  readonly work: Work;
  readonly pointers: Pointers;
}

/**
 * The handoff of a builder. It refers to texts of the contract by id and by JSON Pointer into shared-contract.json.
 * Markdown syntax in the texts of agents is escaped.
 */
export function renderHandoff(contract: Contract, builder: Builder, facts: HandoffFacts): string {
  const part = { contract, builder, work: workOf(contract, builder), pointers: pointersOf(contract) };
  const { handoffStandsAlone } = facts.terms;
  const document = stack(
    `# Handoff for ${code(builder)}: ${inline(facts.mission.title)}`,
    ...(handoffStandsAlone ? wholeGround(contract, builder, facts) : [shortGround(contract, facts)]),
    ...replacedList(facts.replaced),
    ...SECTIONS.flatMap(([heading, body]) => {
      const text = body(part, facts.terms);
      return text === NONE && !handoffStandsAlone ? [] : [heading, text];
    }),
    '## How to begin',
    beginning(contract, facts, part.work),
  );
  return `${document}\n`;
}

/** What a builder builds on, in full: with it and shared-contract.json the builder needs no transcript. */
function wholeGround(contract: Contract, builder: Builder, facts: HandoffFacts): string[] {
  const { mission, decisions } = facts;
  return [
    `Your part of the contract. Ids and JSON Pointers refer to ${SHARED}, which has the texts. These two files are all that you need to build. They are valid only for the revision named here.`,
    whoIsWho(builder, mission.agents),
    agreement(contract, facts),
    '## Mission',
    exact('', mission.objective),
    '### Guardrails',
    listOrNone(mission.guardrails.map((guardrail) => exact('', guardrail, '  '))),
    '### Requirements',
    listOrNone(mission.requirements.map(requirementItem)),
    '## Decisions',
    decisionList(decisions),
  ];
}

/** The same for a builder that has read it all: where it stands. */
function shortGround({ fixture_version, decisions }: Contract, { revision_id, content_hash }: HandoffFacts): string {
  const decided = decisions.length > 0 ? ` Decided: ${codes(decisions)} (\`list_decisions\`).` : '';
  return `Your part of ${code(revision_id)}, with \`content_hash\` ${code(content_hash)} and \`fixture_version\` ${code(fixture_version)}. Ids and JSON Pointers refer to ${SHARED}, which has the texts.${decided} The mission: \`read_task\`.`;
}

/** The part of the builder, section by section. */
const SECTIONS: readonly (readonly [heading: string, body: (part: Part, terms: HandoffFacts['terms']) => string])[] = [
  ['## Your tasks, in order', ({ work, builder, pointers }) => ownTasks(work, builder, pointers)],
  ['## Your interfaces', (part) => interfaceList(part)],
  ['## Safety conditions you keep', (part) => safetyList(part)],
  ['## Tests', (part) => stack(TESTS_BY_BOTH, testList(part))],
  ['## Also assigned to you', (part) => listOrNone(ownRecords(part))],
  ['## What binds both', (part, terms) => listOrNone(sharedRecords(part, terms))],
];

const TESTS_BY_BOTH =
  'Both agents give evidence for every test. The agent that did not start an attempt gives the verdict.';

const replacedList = (replaced: readonly ReplacedDecision[]): string[] =>
  replaced.length === 0
    ? []
    : [
        'These decisions are cited, but are no longer active:',
        bullets(
          replaced.map(({ id, status, replacement }) =>
            replacement === undefined
              ? `${code(id)} is ${status}`
              : `${code(id)} is ${status}: ${code(replacement)} replaced it`,
          ),
        ),
      ];

const requirementItem = ({ requirement_id: id, text, acceptance_criteria: criteria = [] }: Requirement): string =>
  [
    exact(code(id), text, '  '),
    ...criteria.map((criterion) => `  ${exact('- accepted when:', criterion, '    ')}`),
  ].join('\n');

const SHARED = code(ARTIFACT_NAMES.sharedContract);

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

const agreement = ({ fixture_version }: Contract, { revision_id, content_hash }: HandoffFacts): string =>
  table(
    ['Field', 'Value'],
    [
      ['`revision_id`', code(revision_id)],
      ['`content_hash`', code(content_hash)],
      ['`fixture_version`', code(fixture_version)],
    ],
  );

/**
 * Each interface that the builder provides or consumes, with the builder's tasks and the tests that name the interface.
 */
function interfaceList({ contract, builder, work: { tasks }, pointers }: Part): string {
  const naming = (records: readonly { readonly id: string; readonly interfaces: readonly string[] }[], id: string) =>
    codesOrNone(ids(records.filter(({ interfaces }) => interfaces.includes(id))));
  const own = contract.interfaces.filter(
    ({ provider, consumers }) => provider === builder || consumers.includes(builder),
  );
  return listOrNone(
    own.map((item) => {
      const sides = [
        ...(item.provider === builder ? ['you provide it'] : []),
        ...(item.consumers.includes(builder) ? ['you consume it'] : []),
      ].join(', ');
      return `${pointers.of(item)}: ${sides}; your tasks: ${naming(tasks, item.id)}; tests: ${naming(contract.tests, item.id)}`;
    }),
  );
}

/** The safety conditions that one of the builder's tasks, one of its tests or a gate ensures. */
function safetyList({ contract, work: { tasks, tests }, pointers }: Part): string {
  const own = new Set(ids([...tasks, ...tests.executed, ...tests.fixedOnly, ...contract.gates]));
  const kinds = kindsOf(contract);
  return listOrNone(
    contract.safety_conditions.flatMap((condition) => {
      const kept = condition.covered_by.filter((id) => own.has(id));
      return kept.length > 0 ? [`${pointers.of(condition)} by ${covering(kept, kinds)}`] : [];
    }),
  );
}

const testList = ({ work: { tests }, pointers }: Part): string =>
  listOrNone([
    `You execute: ${pointers.all(tests.executed)}`,
    `The other agent executes, you fix defects: ${pointers.all(tests.fixedOnly)}`,
    `The other agent executes and fixes defects: ${pointers.all(tests.others)}`,
  ]);

const ownRecords = ({ contract, builder, pointers }: Part): string[] => [
  ...contract.risks.filter(({ assignee }) => assignee === builder).map((risk) => `Risk ${pointers.of(risk)}`),
  ...contract.dependencies
    .filter(({ assignee }) => assignee === builder)
    .map((dependency) => `Dependency ${pointers.at(dependency)}`),
  ...contract.artifacts
    .filter(({ audience }) => audience === 'both' || audience === builder)
    .map((file) => `File ${code(file.filename)}: its content stands at ${pointers.at(file, '/content')}`),
];

function sharedRecords({ contract, builder, pointers }: Part, terms: HandoffFacts['terms']): string[] {
  const leftOut = new Set<string>(leftOutOf(contract, terms));
  const place = (name: 'scope' | 'safety_conditions' | 'rollout', what: string): string[] =>
    leftOut.has(name) ? [] : [`${what}: ${code(`/${name}`)}`];
  return [
    ...place('scope', 'What is included and excluded'),
    ...place('safety_conditions', 'Every safety condition, also those that the other agent keeps'),
    ...(contract.data_models.length > 0 ? [`Data models: ${pointers.all(contract.data_models)}`] : []),
    ...GATE_STAGES.flatMap((stage) => {
      const gates = contract.gates.filter((gate) => gate.stage === stage);
      return gates.length > 0 ? [`Gates before ${stage}: ${pointers.all(gates)}`] : [];
    }),
    ...place('rollout', 'Order of deployment, and rollback'),
    `Tasks of the other agent: ${pointers.all(contract.tasks.filter(({ assignee }) => assignee !== builder))}`,
  ];
}

const beginning = (contract: Contract, facts: HandoffFacts, work: Work): string =>
  [
    ...(facts.terms.asksReadiness
      ? beforeBuild(contract, facts)
      : ['`list_artifacts` names your files; `fetch_artifact` gives those that you have not read yet.']),
    firstStep(work),
    'When your part runs, declare it with `verify_handshake` and follow `verify_next`.',
  ]
    .map((text, index) => `${index + 1}. ${text}`)
    .join('\n');

const beforeBuild = ({ fixture_version }: Contract, { revision_id, content_hash }: HandoffFacts): string[] => [
  'Call `list_artifacts`. Fetch every file it assigns to you with `fetch_artifact`, unless you already have content with that SHA-256. Confirm all of them in one call of `confirm_receipt`, with the further files in `others`.',
  'Call `get_readiness_questions` and answer each question from these files.',
  `Call \`submit_readiness\` for \`revision_id\` ${code(revision_id)}, \`content_hash\` ${code(content_hash)} and \`fixture_version\` ${code(fixture_version)}: READY_TO_CODE, or BLOCKED with what blocks you.`,
  'Write no code before the action BEGIN_BUILD, which you get once the owner has authorized the build.',
];

function firstStep({ tasks, waitsFor }: Work): string {
  const [first] = tasks;
  if (!first) return 'No task is assigned to you. Help to meet the gates, and give evidence for the tests.';
  const free = tasks.filter(({ depends_on }) => depends_on.length === 0);
  if (free.length > 0)
    return `Begin with ${codes(ids(free))}, which ${free.length === 1 ? 'depends' : 'depend'} on no other task.`;
  const awaited = ids(waitsFor(first));
  if (awaited.length === 0) return `Begin with ${code(first.id)}.`;
  return `Begin with ${code(first.id)}, against the agreed interfaces. It can be finished when the other agent has done ${codes(awaited)}.`;
}

type Facts = Pick<HandoffFacts, 'revision_id' | 'content_hash'>;

const approved = ({ fixture_version }: Contract, { revision_id, content_hash }: Facts) => ({
  revision_id,
  content_hash,
  fixture_version,
});

/** The content of handshake.json: the facts that each service must declare before the verification. */
export const handshakeDocument = (contract: Contract, facts: Facts & Pick<HandoffFacts, 'mission'>) => ({
  ...approved(contract, facts),
  services: { agent_a: serviceOf(contract, 'agent_a', facts), agent_b: serviceOf(contract, 'agent_b', facts) },
  interfaces: contract.interfaces.map(({ id, name, kind, provider, consumers, operations }) => ({
    id,
    name,
    kind,
    provider,
    consumers,
    operations: operations.map((operation) => operation.name),
  })),
});

function serviceOf({ interfaces }: Contract, builder: Builder, { mission }: Pick<HandoffFacts, 'mission'>) {
  const { service, repository } = mission.agents[builder];
  return {
    service,
    repository,
    provides: interfaces.filter(({ provider }) => provider === builder).map(({ id }) => id),
    consumes: interfaces.filter(({ consumers }) => consumers.includes(builder)).map(({ id }) => id),
  };
}

/** The content of verification-plan.json: one scenario for each test, with default values filled in, and the gates. */
export const verificationPlanDocument = (contract: Contract, facts: Facts) => ({
  ...approved(contract, facts),
  scenarios: contract.tests.map((test) => ({
    scenario_id: test.id,
    title: test.title,
    given: test.given,
    when: test.when,
    // biome-ignore lint/suspicious/noThenProperty: given, when and then are member names of the contract.
    then: test.then,
    executor: test.executor,
    responsible: responsibleFor(contract, test),
    requirements: test.requirements,
    interfaces: test.interfaces,
    depends_on: test.depends_on,
    evidence_policy: test.evidence_policy ?? null,
  })),
  gates: contract.gates,
});
