import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

interface Job {
  readonly 'timeout-minutes'?: number | string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly include: readonly Readonly<Record<string, string | number>>[] } };
  /** The workflow that the job calls, if the job has no steps. */
  readonly uses?: string;
  readonly steps?: readonly { readonly uses?: string; readonly run?: string }[];
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = '.github/workflows';
const GROUPS = ['tests', 'static', 'hardening', 'browser', 'reliability', 'examples'];

const files = readdirSync(FOLDER);
const read = (file: string): string => readFileSync(file, 'utf8');
const workflows = files.map((file) => ({ file, workflow: workflowOf(file) }));
const jobs = workflows.flatMap(({ file, workflow }) =>
  Object.entries(workflow.jobs).map(([name, job]) => ({ name: `${file} ${name}`, job })),
);

describe('.ci/run', () => {
  test('refuses a group that it does not have before it checks anything, and names its groups', () => {
    const { status, stdout } = spawnSync('bash', ['.ci/run', 'static', 'nonsense'], { encoding: 'utf8' });
    const [refusal, ...rest] = stdout.trimEnd().split('\n');
    expect(status).toBe(1);
    expect(refusal).toBe(`unknown group: nonsense. The groups are: ${GROUPS.join(' ')}`);
    expect(rest.at(-1)).toBe('0 passed, 1 failed');
    expect(stdout).not.toContain('──');
  });

  test('has checks for each of its groups', () => {
    const cases = [...read('.ci/run').matchAll(/^ {4}(\w+)\)$/gm)].map(([, group]) => group);
    expect(cases).toEqual(GROUPS);
  });
});

describe('the workflows', () => {
  test('run every group of .ci/run, and no other', () => {
    const called = jobs.flatMap(({ job }) => groupsOf(job));
    expect([...new Set(called)].toSorted()).toEqual(GROUPS.toSorted());
  });

  test('use actions by the hash of a commit and name its version', () => {
    const uses = files.flatMap((file) => read(`${FOLDER}/${file}`).match(/uses: [^.].*/g) ?? []);
    expect(uses).toHaveLength(7);
    expect(uses.filter((use) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(use))).toEqual([]);
  });

  test.each(workflows)('$file may write nothing unless a job says so', ({ workflow }) => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });

  test('end after a number of minutes', () => {
    const limits = jobs.filter(({ job }) => job.steps).map(({ name, job }) => [name, job['timeout-minutes']]);
    expect(limits).toEqual([
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is an expression of GitHub Actions
      ['ci.yml check', '${{ matrix.minutes }}'],
      ['release.yml release', 30],
      ['release.yml image', 30],
      ['release.yml image-of-both', 10],
      ['release.yml mcp-registry', 15],
    ]);
    const minutes = jobs.flatMap(
      ({ job }) => job.strategy?.matrix.include.flatMap(({ minutes: own }) => own ?? []) ?? [],
    );
    expect(minutes).toEqual([15, 45, 45, 60, 45, 60, 45]);
  });

  test('give rights to write only to the release', () => {
    expect(jobs.filter(({ job }) => job.permissions).map(({ name, job }) => [name, job.permissions])).toEqual([
      ['release.yml release', { contents: 'write', 'pull-requests': 'write', 'id-token': 'write' }],
      ['release.yml image', { contents: 'read', packages: 'write' }],
      ['release.yml image-of-both', { packages: 'write' }],
      ['release.yml mcp-registry', { contents: 'read', 'id-token': 'write' }],
    ]);
  });
});

test('.nvmrc names the Node of the image', () => {
  expect(read('Dockerfile')).toContain(`FROM node:${read('.nvmrc').trim()}-slim\n`);
});

function workflowOf(file: string): Workflow {
  return parse(read(`${FOLDER}/${file}`));
}

/** The arguments that the steps of a job pass to `.ci/run`, for each row of the job's matrix. */
function groupsOf({ strategy, steps = [] }: Job): string[] {
  return (strategy?.matrix.include ?? [{}]).flatMap((row) =>
    steps.flatMap(({ run = '' }) => {
      const line = run.replace(/\$\{\{ matrix\.(\w+) \}\}/g, (_, name) => String(row[name] ?? ''));
      return [...line.matchAll(/\.ci\/run(.*)/g)].flatMap(([, rest = '']) => rest.trim().split(/\s+/));
    }),
  );
}
