import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { newFolder } from '../../new-folder.ts';
import { recordedMission } from './recorded-mission.ts';

const BOOK = 'v-retries-book-once';
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const TEXT = 'ran 0 tests\n';
const sha = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
const node = (code: string) => ['--', process.execPath, '-e', code];
const writes = (name: string, text: string) =>
  node(`require('fs').writeFileSync(${JSON.stringify(name)}, ${JSON.stringify(text)})`);

describe('parley verify run --attach', () => {
  test('sends what the run has written before its evidence, which names it', async () => {
    const { verify, scenario, agents, owner, sessionId } = await recordedMission({ level: 'recorded' });
    const ran = await verify('agent_a', '--scenario', BOOK, '--attach', 'run.log', ...writes('run.log', TEXT));
    expect(ran).toMatchObject({ code: EXIT.OK, err: '' });
    expect(ran.out).toContain(`Attached: run.log, ${TEXT.length} bytes, SHA-256 ${sha(TEXT)}.`);
    const { attempts } = await scenario(BOOK);
    expect(attempts[0]).toMatchObject({
      attachments: [{ by: 'agent_a', filename: 'run.log', sha256: sha(TEXT), media_type: 'text/plain' }],
      evidence: [{ level: 'recorded', summary: expect.stringContaining(`SHA-256 ${sha(TEXT)}`) }],
    });
    expect(await agents.agent_b('fetch_artifact', { filename: sha(TEXT) })).toMatchObject({ content: TEXT });
    expect(await owner.artifact(sessionId, { filename: sha(TEXT) })).toMatchObject({ content: TEXT });
  });

  test('sends no evidence if a file is refused, and the run can be repeated', async () => {
    const { verify, scenario } = await recordedMission({ level: 'recorded' });
    const leak = 'postgres://app:Vq7-tR2x9Lm@db.internal/orders';
    const run = (text: string) =>
      verify('agent_a', '--scenario', BOOK, '--attach', 'run.log', ...writes('run.log', text));
    const refused = await run(leak);
    expect(refused).toMatchObject({
      code: EXIT.REFUSED,
      err: expect.stringContaining('run.log is not attached: CREDENTIAL_REJECTED'),
    });
    expect(refused.err).not.toContain('Vq7-');
    expect((await scenario(BOOK)).attempts[0]).toMatchObject({ evidence: [] });
    expect(await run('no secret')).toMatchObject({ code: EXIT.OK });
  });

  test('sends nothing for a missing file or a folder', async () => {
    const { verify, scenario } = await recordedMission({ level: 'recorded' });
    for (const [path, reason] of [
      ['none.log', 'there is no such file'],
      ['.', 'is not a regular file'],
    ] as const) {
      const ran = await verify('agent_a', '--scenario', BOOK, '--attach', path, ...node(''));
      expect(ran).toMatchObject({ code: EXIT.USAGE, err: expect.stringContaining(reason) });
    }
    expect((await scenario(BOOK)).attempts).toEqual([]);
  });
});

describe('parley verify attach', () => {
  test('adds pictures and other files to the open attempt, of either side, up to 1 MB', async () => {
    const { attach, agents, scenario, ownerCommand, sessionId } = await recordedMission({});
    const folder = await newFolder();
    const files = { 'shot.png': PNG, 'full.bin': Buffer.alloc(1_000_000, 0), 'more.bin': Buffer.alloc(1_000_001, 1) };
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
    const path = (name: string): string => join(folder, name);
    expect(await attach('agent_b', '--scenario', BOOK, path('shot.png'))).toMatchObject({
      code: EXIT.REFUSED,
      err: expect.stringContaining('No attempt of v-retries-book-once is open'),
    });
    await agents.agent_a('verify_start_attempt', { scenario_id: BOOK });
    expect(await attach('agent_b', '--scenario', BOOK, path('shot.png'), path('full.bin'))).toMatchObject({
      code: EXIT.OK,
    });
    expect(await attach('agent_b', '--scenario', BOOK, path('more.bin'))).toMatchObject({
      code: EXIT.USAGE,
      err: expect.stringContaining('it has more than 1 MB'),
    });
    expect((await scenario(BOOK)).attempts[0].attachments).toMatchObject([
      { by: 'agent_b', filename: 'shot.png', media_type: 'image/png' },
      { filename: 'full.bin', media_type: 'application/octet-stream', bytes: 1_000_000 },
    ]);
    const shown = await ownerCommand('artifact', sessionId, '--filename', sha(PNG));
    expect(shown).toMatchObject({ code: EXIT.OK, out: expect.stringContaining(PNG.toString('base64')) });
  });
});

describe('parley verify run --gate', () => {
  test('meets a gate with a recorded run of the agent that the contract names', async () => {
    const demanded = { by: 'agent_a', command: `${process.execPath} -e 0` };
    const { verify, board } = await recordedMission({}, { gateRun: demanded });
    const [gate] = (await board()).certification.gates;
    expect(gate).toMatchObject({ stage: 'deployment', level: null, missing: ['a recorded run by agent_a'] });
    const id = gate.gate_id;
    const other = await verify('agent_a', '--gate', id, ...node('1'));
    expect(other).toMatchObject({
      code: EXIT.MISMATCH,
      out: expect.stringContaining('Missing: a run of the command that the contract names for it'),
    });
    const ran = await verify('agent_a', '--gate', id, '--attach', 'README.md', ...node('0'));
    expect(ran).toMatchObject({ code: EXIT.OK, out: expect.stringContaining('The run meets the gate.') });
    const { gates, checks } = (await board()).certification;
    expect(gates[0]).toMatchObject({ level: 'recorded', attachments: [{ filename: 'README.md' }] });
    expect(checks).toContainEqual(expect.objectContaining({ check: 'GATES_MET' }));
  });

  test('refuses the other agent, a gate without a run, and neither a scenario nor a gate', async () => {
    const { verify, board } = await recordedMission({}, { gateRun: { by: 'agent_a' } });
    const id = (await board()).certification.gates[0].gate_id;
    expect((await verify('agent_b', '--gate', id, ...node(''))).err).toContain(`agent_a runs gate ${id}`);
    expect((await verify('agent_a', '--gate', 'none', ...node(''))).err).toContain('no gate none that demands a run');
    expect(await verify('agent_a', ...node(''))).toMatchObject({ code: EXIT.USAGE });
  });
});
