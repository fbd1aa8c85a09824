import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHttpHost, type Serving, serve } from '@parley/http-host';
import { loadMission, MISSION_NAMES, type Mission, type MissionName } from '@parley/missions';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { canonicalJson } from '../../packages/core/src/kernel/text/hash.ts';
import { openMemory } from './support/stores.ts';
import { openWorld, playIn, type SeatedCast, type World } from './support/world.ts';

const FOLDER = new URL('../../examples/verify-hash/', import.meta.url);
const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.warn('python3 is not installed: the tests of examples/verify-hash are left out.');

describe.runIf(hasPython)('canonical_json.py gives the canonical form that the core hashes', () => {
  test('for numbers at the edges of ECMAScript, for escapes, and for names in UTF-16 order', () => {
    const texts = CORNERS.map(([json]) => json);
    expect(canonicalByPython(texts)).toEqual(CORNERS.map(([, canonical]) => canonical));
    expect(texts.map((json) => canonicalJson(JSON.parse(json)))).toEqual(CORNERS.map(([, canonical]) => canonical));
  });

  test('also for sums without a finite decimal form and for generated values', () => {
    const values = [
      0.1 + 0.2,
      ...fc.sample(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), jsonValue), SAMPLES),
    ];
    const texts = values.map((value) => JSON.stringify(value));
    expect(canonicalByPython(texts)).toEqual(texts.map((text) => canonicalJson(JSON.parse(text))));
  });

  test('refuses what has none', () => {
    const refused = canonicalByPython(['"\\ud800"', '1e999', '{"a":1,"a":2}', 'NaN']);
    expect(refused.filter((line) => !line.startsWith('refused: '))).toEqual([]);
  });
});

const CORNERS: readonly (readonly [json: string, canonical: string])[] = [
  ['[1e21,1e20,-0,0.0]', '[1e+21,100000000000000000000,0,0]'],
  ['[1E-7,1e-6,-1.5e-10,2e-3,4.50]', '[1e-7,0.000001,-1.5e-10,0.002,4.5]'],
  ['[0.30000000000000004,333333333.33333329]', '[0.30000000000000004,333333333.3333333]'],
  ['[9007199254740993,123456789012345678901]', '[9007199254740992,123456789012345680000]'],
  ['[5e-324,1.7976931348623157e308]', '[5e-324,1.7976931348623157e+308]'],
  [
    '{"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"\\u00f6":7}',
    '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
  ],
  ['"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\"\\/"', '"\u20ac$\\u000f\\nA\'B\\"\\\\\\"/"'],
  ['{"":0,"a":{},"__proto__":[],"constructor":null}', '{"":0,"__proto__":[],"a":{},"constructor":null}'],
];

const SAMPLES = 2_000;
const jsonValue = fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 3 });

function canonicalByPython(texts: readonly string[]): string[] {
  const script = fileURLToPath(new URL('canonical_json.py', FOLDER));
  const { stdout, stderr } = spawnSync('python3', [script], { input: texts.join('\n'), encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.trimEnd().split('\n');
}

describe.runIf(hasPython)('verify_hash.py', () => {
  let baseUrl: string;
  let world: World;
  let serving: Serving;
  beforeAll(async () => {
    world = await openWorld(await openMemory(), 'in process');
    const host = createHttpHost(world.parley);
    serving = await serve(host.handler, { host: '127.0.0.1', port: 0, parley: world.parley });
    baseUrl = `${serving.url}${host.prefix}`;
  });
  afterAll(async () => {
    await serving.close();
    await world.close();
  });

  test.each(MISSION_NAMES)('computes every hash of %s again, over REST', async (name) => {
    const { code, lines } = await verifyLive(await playIn(world, await readyToBuild(name)));
    const right = lines.filter((line) => line.startsWith('ok '));
    expect(lines.filter((line) => line.startsWith('WRONG'))).toEqual([]);
    expect(right.map((line) => line.slice(7, 52).trim())).toEqual(
      expect.arrayContaining(name === 'minor-units' ? LIGHT_VALUES : VALUES),
    );
    expect([code, lines.at(-1)]).toEqual([0, `${right.length} values right, 0 wrong`]);
  });

  test('names what is wrong in answers that were tampered with, and fails', async () => {
    const file = join(await newFolder(), 'answers.json');
    await verifyLive(await playIn(world, await readyToBuild('payment-capture')), '--save', file);
    const saved = await readFile(file, 'utf8');
    expect(await verifySaved(file, saved)).toEqual({ code: 0, wrong: [] });
    for (const [find, put, complaint] of TAMPERING) {
      const tampered = saved.replace(find, put);
      expect(tampered, `${find}`).not.toBe(saved);
      const { code, wrong } = await verifySaved(file, tampered);
      expect([code, wrong.some((line) => line.includes(complaint))], `${find}: ${wrong.join('\n')}`).toEqual([1, true]);
    }
  });

  test('has its own exit code for answers that hold nothing to compare', async () => {
    const file = join(await newFolder(), 'answers.json');
    expect(await verifySaved(file, '[]')).toEqual({ code: 2, wrong: [] });
    expect(await verifySaved(file, '{')).toEqual({ code: 2, wrong: [] });
  });

  test('checks an exported log, and names who approved', async () => {
    const file = join(await newFolder(), 'session.jsonl');
    const owner = world.parley.owner('owner', { person: { id: 'p_1', name: 'Ada', role: 'approver' } });
    const { sessionId } = await playIn({ ...world, owner }, await readyToBuild('payment-capture'));
    const lines: string[] = [];
    for await (const line of owner.exportLog(sessionId)) lines.push(line);
    await writeFile(file, lines.join(''));
    const whole = await run(['--log', file], {});
    expect([whole.code, whole.lines.at(-1)]).toEqual([0, `${lines.length} values right, 0 wrong`]);
    const approved = whole.lines.flatMap((line, index) =>
      line.startsWith('       by') ? [`${/ (\w+\.\w+) /.exec(whole.lines[index - 1] ?? '')?.[1]}${line.slice(6)}`] : [],
    );
    expect(approved).toEqual(['contract.approved by Ada (p_1)', 'build.authorized by Ada (p_1)']);
    await writeFile(file, lines.join('').replace('\\"name\\":\\"Ada\\"', '\\"name\\":\\"Eve\\"'));
    expect((await run(['--log', file], {})).code).toBe(1);
    await writeFile(file, lines.toSpliced(3, 1).join(''));
    const cut = await run(['--log', file], {});
    expect([cut.code, cut.lines.some((line) => line.includes('does not follow the event before it'))]).toEqual([
      1,
      true,
    ]);
  });

  const verifyLive = ({ passes, sessionId }: SeatedCast, ...more: readonly string[]): Promise<Run> => {
    const tokens = `${passes.agent_a.token} ${passes.agent_b.token}`;
    return run(['--base-url', baseUrl, '--session', sessionId, ...more], { PARLEY_TOKENS: tokens });
  };
});

/** The mission up to the authorization of the build. After that, the hashed data does not change. */
const readyToBuild = async (name: MissionName): Promise<Mission> => ({
  ...(await loadMission(name)),
  verification: [],
});

/** A light session has one revision, and nobody reports its hashes. */
const LIGHT_VALUES = ['content_hash r_1 (from its diff)', 'manifest_sha256', 'contract.md', 'handoff-agent-a.md'];

const VALUES = [
  'content_hash r_1 (from its diff)',
  'content_hash r_2 (from its diff)',
  'manifest_sha256',
  'handshake_sha256',
  'shared_contract_sha256',
  'shared_contract_sha256 (from the contract)',
  'contract.md',
  'verification-plan.json',
  'handoff-agent-a.md',
  'handoff-agent-b.md',
];

/** Changes to saved answers, each with the error that the program must print. */
const TAMPERING: readonly (readonly [RegExp, string, string])[] = [
  [/"schema_version":"1","scope"/, '"schema_version":"1","scopf"', 'content_hash'],
  [/"frozen_at":"2/, '"frozen_at":"3', 'manifest_sha256'],
  [/"bytes":(\d+,"filename":"contract.md")/, '"bytes":1$1', 'contract.md (bytes'],
  [/# Handoff for/, '# Handoff  for', 'handoff-agent-a.md'],
  [/"handshake_sha256":"./, '"handshake_sha256":"x', 'handshake_sha256'],
  [/"shared_contract_sha256":"./, '"shared_contract_sha256":"x', 'shared_contract_sha256'],
  [/"op":"add","path":"\/title","value":"/, '"op":"add","path":"/title","value":"!', 'from its diff'],
];

interface Run {
  readonly code: number;
  readonly lines: string[];
}

async function verifySaved(file: string, text: string): Promise<{ code: number; wrong: string[] }> {
  await writeFile(file, text);
  const { code, lines } = await run(['--answers', file], {});
  return { code, wrong: lines.filter((line) => line.startsWith('WRONG')) };
}

/** Runs `verify_hash.py`. Does not block the event loop, because the program calls a server in this test's process. */
function run(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<Run> {
  const script = fileURLToPath(new URL('verify_hash.py', FOLDER));
  return new Promise((resolve) => {
    const env = { ...process.env, ...environment, PYTHONIOENCODING: 'utf-8' };
    const child = execFile('python3', [script, ...args], { env }, (_error, stdout) =>
      resolve({ code: child.exitCode ?? -1, lines: stdout.trimEnd().split('\n') }),
    );
  });
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-hashes-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
