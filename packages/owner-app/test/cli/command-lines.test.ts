import { expect, test } from 'vitest';
import { repeatedLine, settlingLines } from '../../src/cli/flags/command-line.ts';
import { createInput } from '../../src/cli/sessions/create-input.ts';

test('the line that repeats a call has a flag without a value for what is true, and none for what is false', () => {
  const seen = { seen: 20, seen_hash: 'd22f' };
  const line = (operation: string, payload: Readonly<Record<string, unknown>>) =>
    repeatedLine('parley', { operation, sessionId: 'S', payload, seen });
  expect([
    line('approveContract', { revision_id: 'r_1', content_hash: '3107', authorize_build: true }),
    line('authorize', { stage: 'release', group_ready: true }),
    line('authorize', { stage: 'release', group_ready: false }),
  ]).toEqual([
    'parley approve-contract S --revision-id r_1 --content-hash 3107 --authorize-build --seen 20 --seen-hash d22f',
    'parley authorize S --stage release --group-ready --seen 20 --seen-hash d22f',
    'parley authorize S --stage release --seen 20 --seen-hash d22f',
  ]);
});

test('a step that takes another decision with it has a line for that', () => {
  const lines = (operation: string, payload: Readonly<Record<string, unknown>>, options?: readonly string[]) =>
    settlingLines('parley', {
      kind: operation === 'authorize' ? 'RELEASE' : 'APPROVAL',
      operation,
      sessionId: 'S',
      payload,
      options,
    });
  const approval = { revision_id: 'r_1', content_hash: '3107' };
  const changes = 'parley request-changes S --reason "..."';
  expect(lines('approveContract', approval)).toEqual(['parley approve-contract S', changes]);
  expect(lines('approveContract', approval, ['authorize_build'])).toEqual([
    'parley approve-contract S',
    'parley approve-contract S --authorize-build',
    changes,
  ]);
  expect(lines('authorize', { stage: 'release' }, ['group_ready']).slice(0, 2)).toEqual([
    'parley authorize S --stage release',
    'parley authorize S --stage release --group-ready',
  ]);
});

test('a line for a script has what the command asks for at a terminal', () => {
  const lines = (operation: string, payload: Readonly<Record<string, unknown>>, option: string) =>
    settlingLines('parley', {
      kind: 'APPROVAL',
      operation,
      sessionId: 'S',
      payload,
      options: [option],
      seen: { seen: 20, seen_hash: 'd22f' },
      isScript: true,
    }).slice(0, 2);
  const approval = 'parley approve-contract S --revision-id r_1 --content-hash 3107';
  expect(lines('approveContract', { revision_id: 'r_1', content_hash: '3107' }, 'authorize_build')).toEqual([
    `${approval} --seen 20 --seen-hash d22f`,
    `${approval} --authorize-build --seen 20 --seen-hash d22f`,
  ]);
  expect(lines('authorize', { stage: 'release' }, 'group_ready')).toEqual([
    'parley authorize S --yes --stage release --seen 20 --seen-hash d22f',
    'parley authorize S --yes --stage release --group-ready --seen 20 --seen-hash d22f',
  ]);
});

test('guardrails and requirements of flags are added to those of a file, or take the place of one with the same id', () => {
  const file = {
    guardrails: ['No glass.'],
    requirements: [
      { requirement_id: 'req-1', text: 'Doors.' },
      { requirement_id: 'req-3', text: 'Codes.' },
    ],
  };
  const requirement = ['Noise.', 'req-1: Two doors.', 'Light.'];
  expect(createInput(file, { guardrail: ['No noise.'], requirement, acceptance: ['req-3: They expire.'] })).toEqual({
    guardrails: ['No glass.', 'No noise.'],
    requirements: [
      { requirement_id: 'req-1', text: 'Two doors.' },
      { requirement_id: 'req-3', text: 'Codes.', acceptance_criteria: ['They expire.'] },
      { requirement_id: 'req-4', text: 'Noise.' },
      { requirement_id: 'req-5', text: 'Light.' },
    ],
  });
  expect(createInput({}, { requirement: ['Doors.', 'req-1: Codes.'] })).toEqual({
    requirements: [
      { requirement_id: 'req-2', text: 'Doors.' },
      { requirement_id: 'req-1', text: 'Codes.' },
    ],
  });
});
