import { ALL_VISIBLE, nameKey } from '../../kernel/name-key.ts';
import { BUILDERS, otherBuilder } from '../../kernel/roles.ts';
import {
  ARTIFACT_NAMES,
  byId,
  type Contract,
  type ContractTask,
  type ContractTest,
  GATE_STAGES,
} from '../document/contract.ts';
import { partiesOf } from './interface-rules.ts';
import { textsOf } from './nodes.ts';
import { cyclesIn } from './reference-rules.ts';
import type { ContractRule } from './rule.ts';

type Interfaces = ReadonlyMap<string, Contract['interfaces'][number]>;

/**
 * What a task can hand to the other builder: an interface of which that builder is a party (`isKnownToOther`), or its
 * deliverables.
 */
function handOverOf({ assignee, interfaces, deliverables }: ContractTask, interfaceOf: Interfaces) {
  const isKnownToOther = interfaces.some((id) => {
    const item = interfaceOf.get(id);
    return item !== undefined && partiesOf(item).has(otherBuilder(assignee));
  });
  return { assignee, isKnownToOther, deliverables: new Set(deliverables) };
}

function doMeet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [smaller, larger] = one.size < other.size ? [one, other] : [other, one];
  for (const text of smaller) if (larger.has(text)) return true;
  return false;
}

/** Rules about tasks. */
export const TASK_RULES: readonly ContractRule[] = [
  {
    code: 'BUILDER_WITHOUT_TASK',
    severity: 'warning',
    explanation: 'Each builder must have a task.',
    hint: 'Assign at least one task to this builder.',

    *check({ tasks }) {
      for (const builder of BUILDERS)
        if (!tasks.some(({ assignee }) => assignee === builder))
          yield { pointer: '/tasks', message: `No task is assigned to ${builder}.` };
    },
  },
  {
    code: 'TASK_WITHOUT_PURPOSE',
    severity: 'warning',
    explanation: 'Each task must name a requirement or an interface.',
    hint: 'Name the requirement or the interface that the task serves, or remove the task.',

    *check({ tasks }) {
      for (const [at, { id, requirements, interfaces }] of tasks.entries())
        if (requirements.length === 0 && interfaces.length === 0)
          yield { pointer: `/tasks/${at}`, message: `Task ${id} names neither a requirement nor an interface.` };
    },
  },
  {
    code: 'TASK_WITHOUT_DELIVERABLES',
    severity: 'warning',
    explanation: 'Each task must list its deliverables.',
    hint: 'List what the task produces: routes, modules, migrations, documents.',

    *check({ tasks }) {
      for (const [at, { id, deliverables }] of tasks.entries())
        if (deliverables.length === 0)
          yield { pointer: `/tasks/${at}/deliverables`, message: `Task ${id} has no deliverables.` };
    },
  },
  {
    code: 'TASK_WITHOUT_DONE_WHEN',
    severity: 'warning',
    explanation: 'Each task must have a condition in done_when that can be checked.',
    hint: 'In done_when, say what somebody can see or run when the task is done.',

    *check({ tasks }) {
      for (const [at, { id, done_when }] of tasks.entries())
        if (done_when.length === 0)
          yield { pointer: `/tasks/${at}/done_when`, message: `Task ${id} does not say when it is done.` };
    },
  },
  {
    code: 'TASK_WAITS_WITHOUT_INTERFACE',
    severity: 'warning',
    explanation: 'If a task depends on a task of the other builder, they must share an interface or deliverable.',
    hint: 'Name the same interface in both tasks, or the same deliverable.',

    *check({ tasks, interfaces }) {
      const interfaceOf = byId(interfaces);
      const handOvers = new Map(Array.from(byId(tasks), ([id, task]) => [id, handOverOf(task, interfaceOf)]));
      for (const [at, { id, assignee, depends_on, deliverables, done_when }] of tasks.entries()) {
        const own = new Set([...deliverables, ...done_when]);
        for (const [other, index] of new Map(depends_on.map((name, place) => [name, place]))) {
          const handOver = handOvers.get(other);
          if (!handOver || handOver.assignee === assignee || handOver.isKnownToOther) continue;
          if (!doMeet(own, handOver.deliverables))
            yield {
              pointer: `/tasks/${at}/depends_on/${index}`,
              message: `Task ${id} depends on task ${other} of ${handOver.assignee}, but they share no interface or deliverable.`,
            };
        }
      }
    },
  },
];

/** Rules about gates, scope, dependencies, rollout and fixtures. */
export const ROLLOUT_RULES: readonly ContractRule[] = [
  {
    code: 'GATE_RUN_TOO_EARLY',
    severity: 'error',
    explanation: 'No gate of the build may demand a run.',
    hint: 'Leave run out, or move the gate to a later stage: no commit is declared before the build.',

    *check({ gates }) {
      for (const [at, { id, stage, run }] of gates.entries())
        if (run && stage === 'build')
          yield { pointer: `/gates/${at}/run`, message: `Gate ${id} demands a run before any commit is declared.` };
    },
  },
  {
    code: 'GATE_MISSING',
    severity: 'warning',
    explanation: 'The stages build, deployment and activation must each have a gate.',
    hint: 'Add a gate for the stage with a condition that the owner can check.',

    *check({ gates }) {
      for (const stage of GATE_STAGES)
        if (!gates.some((gate) => gate.stage === stage))
          yield { pointer: '/gates', message: `The stage ${stage} has no gate.` };
    },
  },
  {
    code: 'DEPENDENCY_VERSIONS_DIFFER',
    severity: 'warning',
    explanation: 'Both builders must use the same version of a dependency.',
    hint: 'Agree on one version. Or give the two dependencies different names, and say in "why" that the difference does no harm.',

    *check({ dependencies }) {
      const firstOf = new Map<string, { readonly version: string; readonly at: number }>();
      for (const [at, { name, version }] of dependencies.entries()) {
        if (version === undefined) continue;
        const key = nameKey(name);
        const first = firstOf.get(key);
        if (first === undefined) firstOf.set(key, { version, at });
        else if (first.version.trim() !== version.trim())
          yield {
            pointer: `/dependencies/${at}/version`,
            message: `The version differs from that of the same dependency at /dependencies/${first.at}.`,
          };
      }
    },
  },
  {
    code: 'SCOPE_CONTRADICTION',
    severity: 'error',
    explanation: 'Nothing may be both in scope and out of scope.',
    hint: 'Remove the line from one of the two lists.',

    *check({ scope }) {
      const inScope = new Set(scope.in.map(nameKey));
      for (const [at, line] of scope.out.entries())
        if (inScope.has(nameKey(line)))
          yield { pointer: `/scope/out/${at}`, message: 'This line is also listed in /scope/in.' };
    },
  },
  {
    code: 'ROLLOUT_WITHOUT_STEPS',
    severity: 'warning',
    explanation: 'The rollout must list its steps.',
    hint: 'List the steps in their order, each with who takes it.',

    *check({ rollout }) {
      if (rollout.steps.length === 0) yield { pointer: '/rollout/steps', message: 'The rollout has no steps.' };
    },
  },
  {
    code: 'FIXTURE_VERSION_DIFFERS',
    severity: 'error',
    explanation: 'The fixture_version must be the one that read_task shows.',
    hint: 'Write the fixture_version that read_task shows. Reports of readiness and handshakes must repeat it exactly.',

    *check({ fixture_version }, { fixtureVersion }) {
      if (fixture_version !== fixtureVersion)
        yield { pointer: '/fixture_version', message: 'This is not the fixture_version of the session.' };
    },
  },
];

/**
 * Names of the files that are generated for every approved contract. No artifact of a contract may have such a name.
 */
const GENERATED_FILENAMES: readonly string[] = Object.values(ARTIFACT_NAMES);

const MAX_FILENAME_CHARS = 120;
/** Maximum length of a filename on common file systems, in bytes. */
const MAX_FILENAME_BYTES = 255;

const UNSAFE: readonly (readonly [RegExp, string])[] = [
  [/[/\\]/, 'must not name a folder'],
  [/[<>:"|?*]/, 'must not contain any of < > : " | ? *'],
  [/^[.\s-]/, 'must not begin with a dot, a dash or a space'],
  [/[.\s]$/, 'must not end with a dot or a space'],
  [
    /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$) *(?:\.|$)/i,
    'must not be a device name of Windows, such as CON',
  ],
];

/** The reason why some file systems cannot store a file with this name. Null if all file systems can store it. */
export function filenameFault(name: string): string | null {
  if (name.length > MAX_FILENAME_CHARS) return `must have at most ${MAX_FILENAME_CHARS} characters`;
  if (Buffer.byteLength(name) > MAX_FILENAME_BYTES) return `must have at most ${MAX_FILENAME_BYTES} bytes in UTF-8`;
  if (!ALL_VISIBLE.test(name)) return 'must not contain an invisible character';
  if (name !== name.normalize('NFC')) return 'must be in Unicode form NFC';
  return UNSAFE.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

const RESERVED: ReadonlySet<string> = new Set(GENERATED_FILENAMES.map(nameKey));

/** The words of a text, split at the characters that can stand before or after a filename in a sentence. */
const wordsOf = (text: string): string[] =>
  text.split(/[\s"'`()[\]{}<>,;:!?#/]+/).map((word) => word.replace(/\.$/, ''));

/** Rules about the artifacts of a contract and their filenames. */
export const ARTIFACT_RULES: readonly ContractRule[] = [
  {
    code: 'FILENAME_UNSAFE',
    severity: 'error',
    explanation: 'The filename of an artifact must be valid on every file system.',
    hint: 'Use letters, digits, dots, dashes and underscores, and no folder.',

    *check({ artifacts }) {
      for (const [at, { filename }] of artifacts.entries()) {
        const fault = filenameFault(filename);
        if (fault !== null) yield { pointer: `/artifacts/${at}/filename`, message: `A filename ${fault}.` };
      }
    },
  },
  {
    code: 'FILENAME_REPEATED',
    severity: 'error',
    explanation: 'Filenames of artifacts must be unique; capital and small letters count as equal.',
    hint: 'Give one of the two artifacts another filename.',

    *check({ artifacts }) {
      const firstOf = new Map<string, number>();
      for (const [at, { filename }] of artifacts.entries()) {
        const first = firstOf.get(nameKey(filename));
        if (first === undefined) firstOf.set(nameKey(filename), at);
        else yield { pointer: `/artifacts/${at}/filename`, message: `/artifacts/${first} already has this filename.` };
      }
    },
  },
  {
    code: 'FILENAME_RESERVED',
    severity: 'error',
    explanation: `No artifact may have the name of a file that is generated from the contract: ${GENERATED_FILENAMES.join(', ')}.`,
    hint: 'Give the artifact another name.',

    *check({ artifacts }) {
      for (const [at, { filename }] of artifacts.entries())
        if (RESERVED.has(nameKey(filename)))
          yield {
            pointer: `/artifacts/${at}/filename`,
            message: 'The service generates a file with this name from every contract.',
          };
    },
  },
  {
    code: 'ARTIFACT_NOT_NAMED',
    severity: 'warning',
    explanation: 'A task, test or interface must name each artifact.',
    hint: 'Name the file in the task, test or interface that uses it.',

    *check(contract) {
      const unnamed = new Map(contract.artifacts.map(({ filename }, at) => [filename, at]));
      for (const { text, kind } of textsOf(contract))
        if (kind !== 'file') for (const word of wordsOf(text)) unnamed.delete(word);
      for (const [filename, at] of unnamed)
        if (wordsOf(filename).length === 1)
          yield { pointer: `/artifacts/${at}`, message: 'Nothing in the contract names this artifact.' };
    },
  },
];

type EvidencePolicy = NonNullable<ContractTest['evidence_policy']>;

/** Rules about tests. */
export const TEST_RULES: readonly ContractRule[] = [
  {
    code: 'TEST_WITHOUT_PURPOSE',
    severity: 'warning',
    explanation: 'Each test must name a requirement or an interface.',
    hint: 'Name the requirements that the test checks or the interfaces that it goes through.',

    *check({ tests }) {
      for (const [at, { id, requirements, interfaces }] of tests.entries())
        if (requirements.length === 0 && interfaces.length === 0)
          yield { pointer: `/tests/${at}`, message: `Test ${id} names neither a requirement nor an interface.` };
    },
  },
  {
    code: 'TEST_RESPONSIBLE_OUTSIDE',
    severity: 'warning',
    explanation: 'The builder responsible for a test must provide or consume one of its interfaces.',
    hint: 'Name the provider or a consumer of an interface of the test as responsible, or leave responsible out.',

    *check({ tests, interfaces }) {
      const interfaceOf = byId(interfaces);
      for (const [at, test] of tests.entries()) {
        const { id, responsible } = test;
        const involved = test.interfaces.flatMap((name) => interfaceOf.get(name) ?? []);
        if (responsible && involved.length > 0 && !involved.some((item) => partiesOf(item).has(responsible)))
          yield {
            pointer: `/tests/${at}/responsible`,
            message: `${responsible} neither provides nor consumes an interface of test ${id}.`,
          };
      }
    },
  },
  {
    code: 'SINGLE_EXECUTOR',
    severity: 'warning',
    explanation: 'Each builder must execute at least one test.',
    hint: 'Make each builder the executor of the tests that begin on its side.',

    *check({ tests }) {
      const [first, ...others] = tests;
      if (first && others.length > 0 && others.every(({ executor }) => executor === first.executor))
        yield {
          pointer: '/tests',
          message: `${first.executor} is the executor of every test; the other builder executes none.`,
        };
    },
  },
  {
    code: 'ONE_SIDED_KINDS',
    severity: 'warning',
    explanation: 'A test must name kinds of evidence for both builders or for neither.',
    hint: 'Name kinds of evidence for the other builder too; name manual if that builder cannot observe the system.',

    *check({ tests }) {
      for (const [at, { id, evidence_policy }] of tests.entries()) {
        const { per_agent_kinds: kinds, min_items = 1 } = evidence_policy ?? {};
        const unnamed = BUILDERS.filter((builder) => (kinds?.[builder] ?? []).length === 0);
        if (kinds && unnamed.length === 1)
          yield {
            pointer: `/tests/${at}/evidence_policy/per_agent_kinds`,
            message: `Test ${id} names no kinds for ${unnamed[0]}, which must still give evidence: at least ${min_items} of any kind.`,
          };
      }
    },
  },
  {
    code: 'RUN_CARRIED_OVER',
    severity: 'error',
    explanation: 'A test that demands a run must not let passes be carried over.',
    hint: 'Leave carry out, or leave level and per_agent_tests out.',

    *check({ tests }) {
      for (const [at, { id, evidence_policy }] of tests.entries())
        if (evidence_policy?.carry && demandsRun(evidence_policy))
          yield {
            pointer: `/tests/${at}/evidence_policy/carry`,
            message: `Test ${id} demands a recorded run, and lets a pass be carried over without one.`,
          };
    },
  },
  {
    code: 'RUN_WITHOUT_TESTS',
    severity: 'warning',
    explanation: 'A test of level recorded or ci must name tests of both reports.',
    hint: 'Name in per_agent_tests what the report of each builder must show as passed; without names, any command will do.',

    *check({ tests }) {
      for (const [at, { id, evidence_policy }] of tests.entries()) {
        const { level, per_agent_tests: names } = evidence_policy ?? {};
        const unnamed = BUILDERS.filter((builder) => (names?.[builder] ?? []).length === 0);
        if ((level === 'recorded' || level === 'ci') && unnamed.length > 0)
          yield {
            pointer: `/tests/${at}/evidence_policy`,
            message: `Test ${id} demands a run, but names no test of the report of ${unnamed.join(' and ')}.`,
          };
      }
    },
  },
  {
    code: 'CI_CORRELATED',
    severity: 'warning',
    explanation: 'A test of level ci must not be correlated.',
    hint: 'Set correlated to false, unless the workflows of both builders send the same request_id.',

    *check({ tests }) {
      for (const [at, { id, evidence_policy }] of tests.entries())
        if (evidence_policy?.level === 'ci' && evidence_policy.correlated !== false)
          yield {
            pointer: `/tests/${at}/evidence_policy/correlated`,
            message: `Test ${id} demands runs of workflows, and the same request_id of both.`,
          };
    },
  },
];

export const demandsRun = ({ level, per_agent_tests: names }: EvidencePolicy): boolean =>
  (level ?? 'claimed') !== 'claimed' || BUILDERS.some((builder) => (names?.[builder] ?? []).length > 0);

/** Rules about what tasks and tests cover, and in which order they can be done. */
export const COVERAGE_RULES: readonly ContractRule[] = [
  {
    code: 'REQUIREMENT_NOT_COVERED',
    severity: 'error',
    explanation: 'A task or a test must name each requirement.',
    hint: 'Name the requirement in the task that implements it and in the test that shows that it is met.',

    *check({ tasks, tests }, { requirementIds }) {
      const covered = new Set([...tasks, ...tests].flatMap(({ requirements }) => requirements));
      for (const id of requirementIds)
        if (!covered.has(id)) yield { pointer: '/tasks', message: `No task and no test names requirement ${id}.` };
    },
  },
  {
    code: 'REQUIREMENT_NOT_TESTED',
    severity: 'warning',
    explanation: 'A test must name each requirement that a task names.',
    hint: 'Add a test that shows that the requirement is met. If no test can show it, map the requirement to a decision, task or gate in the preflight; this warning then remains, but blocks nothing.',

    *check({ tasks, tests }, { requirementIds }) {
      const built = new Set(tasks.flatMap(({ requirements }) => requirements));
      const tested = new Set(tests.flatMap(({ requirements }) => requirements));
      for (const id of requirementIds)
        if (built.has(id) && !tested.has(id)) yield { pointer: '/tests', message: `No test names requirement ${id}.` };
    },
  },
  {
    code: 'AGENDA_SCENARIO_OPEN',
    severity: 'warning',
    ofAgenda: true,
    explanation: 'A test must have the id of each scenario of the agenda.',
    hint: 'Add the scenario of read_task as a test, with its id and the interfaces that it goes through. If it is not to be tested, tell the owner why.',

    *check({ tests }, { scenarioIds }) {
      const tested = new Set(tests.map(({ id }) => id));
      for (const id of scenarioIds)
        if (!tested.has(id))
          yield { pointer: '/tests', message: `No test has the id ${id}, a scenario of the agenda.` };
    },
  },
  {
    code: 'SAFETY_CONDITION_NOT_COVERED',
    severity: 'error',
    explanation: 'Each safety condition must name a task, test or gate in covered_by.',
    hint: 'In covered_by, name the tasks, tests or gates that ensure the condition.',

    *check({ safety_conditions }) {
      for (const [at, { id, covered_by }] of safety_conditions.entries())
        if (covered_by.length === 0)
          yield {
            pointer: `/safety_conditions/${at}/covered_by`,
            message: `Safety condition ${id} names nothing in covered_by.`,
          };
    },
  },
  {
    code: 'TASK_CYCLE',
    severity: 'error',
    explanation: 'The dependencies of tasks must form no cycle.',
    hint: 'From depends_on remove an id that is not needed, or split one of the tasks.',

    check: ({ tasks }) => cyclesIn('tasks', tasks),
  },
  {
    code: 'TEST_CYCLE',
    severity: 'error',
    explanation: 'The dependencies of tests must form no cycle.',
    hint: 'From depends_on remove an id that is not needed, or split one of the tests.',

    check: ({ tests }) => cyclesIn('tests', tests),
  },
];
