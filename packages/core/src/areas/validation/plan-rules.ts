import { ALL_VISIBLE, nameKey } from '../../kernel/name-key.ts';
import { BUILDERS, otherBuilder } from '../../kernel/roles.ts';
import { ARTIFACT_NAMES, byId, type Contract, type ContractTask, GATE_STAGES } from '../document/contract.ts';
import { partiesOf } from './interface-rules.ts';
import { textsOf } from './nodes.ts';
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
