import { add, put } from '../changes.ts';
import type { RuleCases } from './rule-case.ts';

const LIBRARY = { name: 'protobuf', version: '4', assignee: 'agent_a', why: 'Encodes events.' };
const file = (filename: string) => ({ filename, media_type: 'text/plain', audience: 'both', content: 'x' });

export const restCases: RuleCases = {
  DEPENDENCY_VERSIONS_DIFFER: {
    severity: 'warning',
    cases: [
      {
        with: 'two versions',
        changes: [
          add('/dependencies/-', LIBRARY),
          add('/dependencies/-', { ...LIBRARY, name: 'Protobuf ', version: '5' }),
        ],
        at: ['/dependencies/3/version'],
      },
      {
        with: 'one version twice',
        changes: [add('/dependencies/-', LIBRARY), add('/dependencies/-', { ...LIBRARY, assignee: 'agent_b' })],
        at: [],
      },
      {
        with: 'a version left out',
        changes: [add('/dependencies/-', { ...LIBRARY, name: 'Sandbox of the payment provider' })],
        at: [],
      },
    ],
  },
  SCOPE_CONTRADICTION: {
    severity: 'error',
    cases: [
      { with: 'one line in both', changes: [add('/scope/out/0', 'captures of card payments ')], at: ['/scope/out/0'] },
      { with: 'a part of it', changes: [add('/scope/out/0', 'Captures')], at: [] },
    ],
  },
  ROLLOUT_WITHOUT_STEPS: {
    severity: 'warning',
    cases: [
      { with: 'no steps', changes: [put('/rollout/steps', [])], at: ['/rollout/steps'] },
      { with: 'one step', changes: [put('/rollout/steps', ['Both deploy.'])], at: [] },
    ],
  },
  FIXTURE_VERSION_DIFFERS: {
    severity: 'error',
    cases: [
      { with: 'another version', changes: [put('/fixture_version', 'capture-2026-10')], at: ['/fixture_version'] },
      { with: 'other capitals', changes: [put('/fixture_version', 'Capture-2026-11')], at: ['/fixture_version'] },
      { with: 'the same version', changes: [put('/fixture_version', '7')], mission: { fixtureVersion: '7' }, at: [] },
    ],
  },
  FILENAME_UNSAFE: {
    severity: 'error',
    cases: [
      { with: 'a folder', changes: [add('/artifacts/-', file('docs/plan.txt'))], at: ['/artifacts/1/filename'] },
      { with: 'a plain name', changes: [add('/artifacts/-', file('plan_v1.2-final (a).txt'))], at: [] },
    ],
  },
  FILENAME_REPEATED: {
    severity: 'error',
    cases: [
      {
        with: 'the same name',
        changes: [add('/artifacts/-', file('captures.fixture.json'))],
        at: ['/artifacts/1/filename'],
      },
      {
        with: 'other capitals',
        changes: [add('/artifacts/0', file('Captures.Fixture.JSON'))],
        at: ['/artifacts/1/filename'],
      },
      {
        with: 'an accent in two characters',
        changes: [add('/artifacts/-', file('caf\u00e9.txt')), add('/artifacts/-', file('cafe\u0301.txt'))],
        at: ['/artifacts/2/filename'],
      },
      { with: 'another ending', changes: [add('/artifacts/-', file('captures.fixture.csv'))], at: [] },
    ],
  },
  FILENAME_RESERVED: {
    severity: 'error',
    cases: [
      {
        with: 'the generated names',
        changes: [
          'shared-contract.json',
          'contract.md',
          'handshake.json',
          'verification-plan.json',
          'handoff-agent-a.md',
          'Handoff-Agent-B.md',
        ].map((name) => add('/artifacts/-', file(name))),
        at: [1, 2, 3, 4, 5, 6].map((at) => `/artifacts/${at}/filename`),
      },
      { with: 'a name of that kind', changes: [add('/artifacts/-', file('handoff-agent-c.md'))], at: [] },
    ],
  },
  ARTIFACT_NOT_NAMED: {
    severity: 'warning',
    cases: [
      { with: 'a file that nothing names', changes: [add('/artifacts/-', file('notes.txt'))], at: ['/artifacts/1'] },
      { with: 'a part of another word', changes: [add('/artifacts/-', file('fixture.json'))], at: ['/artifacts/1'] },
      {
        with: 'a sentence that names it',
        changes: [add('/artifacts/-', file('notes.txt')), put('/summary', 'The reasons stand in "notes.txt".')],
        at: [],
      },
      {
        with: 'a response that points to it',
        changes: [
          add('/artifacts/-', file('api.yaml')),
          put('/interfaces/0/operations/0/response', { see: './api.yaml#/Capture' }),
        ],
        at: [],
      },
      { with: 'a name of several words', changes: [add('/artifacts/-', file('the notes.txt'))], at: [] },
    ],
  },
};
