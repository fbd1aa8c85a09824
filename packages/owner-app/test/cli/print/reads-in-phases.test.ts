import { describeOperations, ownerListings } from '@parley/core';
import { loadMission, runMission, withModerator } from '@parley/missions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOwnerClient } from '../../../src/cli/client/owner-client.ts';
import { joinByMcp, ownerApi } from '../../../src/cli/demo/demo.ts';
import { startStandalone } from '../../../src/cli/demo/standalone.ts';
import { runCli } from '../../../src/cli/program.ts';
import { UNLIMITED } from '../../../src/text/page.ts';
import { fakeTerminal } from '../../fake-terminal.ts';

/** Every read of the owner on one session. `R` stands for the id of the latest revision, `A` for an artifact's name. */
const READS: readonly (readonly string[])[] = [
  ['view'],
  ['records', '--type', 'decision'],
  ['records', '--type', 'action'],
  ['transcript'],
  ['report'],
  ['plan'],
  ['plan', '--summary'],
  ['plan', '--unread'],
  ['plan', '--md'],
  ['plan', '--section', 'operations'],
  ['plan', '--section', 'safety-conditions'],
  ['brief'],
  ['revision', '--revision-id', 'R'],
  ['diff', '--revision-id', 'R'],
  ['blockers'],
  ['artifact', '--filename', 'A'],
  ['board'],
];

/**
 * For each command: its output at one moment of the mission. The key contains the flags of the command, if there are
 * any.
 */
type Screens = ReadonlyMap<string, string>;

const screens = new Map<string, Screens>();

let server: Awaited<ReturnType<typeof startStandalone>>;

afterAll(() => server.close());

beforeAll(async () => {
  server = await startStandalone();
  const { url, key } = server;
  const client = createOwnerClient(url, key);
  const print = async (...args: readonly string[]): Promise<string> => {
    const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: key }, UNLIMITED);
    await runCli(args, terminal);
    return terminal.output() || terminal.errors();
  };
  const look = async (sessionId: string, moment: string) => {
    const view = JSON.parse(await print('view', sessionId, '--json'));
    const names = { R: view.state.latest_revision?.revision_id, A: view.manifest?.artifacts[0]?.filename };
    const found = new Map<string, string>();
    for (const [name = '', ...flags] of READS) {
      const filled = flags.map((flag) => (flag === 'R' || flag === 'A' ? names[flag] : flag));
      const key = found.has(name) ? [name, ...flags].join(' ') : name;
      if (!filled.includes(undefined))
        found.set(key, (await print(name, sessionId, ...filled)).replaceAll(sessionId, 'S'));
    }
    for (const name of ['waiting', 'sessions']) found.set(name, (await print(name)).replaceAll(sessionId, 'S'));
    screens.set(moment, found);
  };
  const mission = withModerator(await loadMission('payment-capture'));
  const transport = {
    owner: ownerApi({ client, listings: ownerListings }),
    agents: ({ code }: { readonly code: string }) => joinByMcp(url, code),
  };
  let last = '';
  const joined = await runMission(mission, transport, async ({ sessionId, index }) => {
    const { state } = JSON.parse(await print('view', sessionId, '--json'));
    const moment = `${state.phase} ${state.latest_revision?.status ?? 'without a revision'}`;
    if (moment !== last) await look(sessionId, `${moment}, step ${index}`);
    last = moment;
  });
  await look(joined.sessionId, 'end');
});

describe('the reads of the owner, in every phase', () => {
  test('were made in each phase', () => {
    expect([...new Set([...screens.keys()].map((moment) => moment.split(' ')[0]))]).toEqual([
      'PLANNING',
      'CONTRACT',
      'READINESS',
      'VERIFY',
      'RELEASE',
      'end',
    ]);
  });

  test('contain no text that only a program understands', () => {
    const faults = [...screens].flatMap(([moment, found]) =>
      [...found].flatMap(([command, text]) =>
        text
          .split('\n')
          .filter((line) => isForPrograms(line) && command !== 'artifact')
          .map((line) => `${moment}, ${command}: ${line.slice(0, 80)}`),
      ),
    );
    expect(faults).toEqual([]);
  });

  test('shorten nothing', () => {
    const cut = [...screens].flatMap(([moment, found]) =>
      [...found].filter(([, text]) => /\S…$/m.test(text)).map(([command]) => `${moment}, ${command}`),
    );
    expect(cut).toEqual([]);
  });

  test('name no tool of agents', () => {
    const names = describeOperations()
      .agents.map(({ name }) => name)
      .filter((name) => name.includes('_'));
    const said = [...screens].flatMap(([moment, found]) =>
      [...found].flatMap(([command, text]) =>
        command === 'artifact'
          ? []
          : names
              .filter((name) => new RegExp(`\\b${name}\\b`).test(text))
              .map((name) => `${moment}, ${command}: ${name}`),
      ),
    );
    expect(said).toEqual([]);
  });

  test('have no table without rows', () => {
    const heads = /^(code|id|session|parked|scenario|agent|role|check|finding_id) {2,}[a-z ]+$/;
    const empty = [...screens].flatMap(([moment, found]) =>
      [...found].filter(([, text]) => hasEmptyTable(text, heads)).map(([command]) => `${moment}, ${command}`),
    );
    expect(empty).toEqual([]);
  });
});

const isForPrograms = (line: string): boolean =>
  /\bundefined\b|\[object Object\]|\bNaN\b|\bInvalid Date\b/.test(line) || /^\s*(\{"|\[\{)/.test(line);

function hasEmptyTable(text: string, heads: RegExp): boolean {
  const lines = text.split('\n');
  return lines.some((line, index) => heads.test(line) && (lines[index + 1] ?? '') === '');
}
