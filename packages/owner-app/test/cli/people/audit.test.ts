import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { runCli } from '../../../src/cli/program.ts';
import { AS_OWNER, ask, createSession } from '../../ask.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { addPerson, runPeopleApp } from '../../people-app.ts';
import { KEY } from '../../running-app.ts';

async function played() {
  const { url } = await runPeopleApp();
  const session = await createSession(url);
  const ada = await addPerson(url, 'Ada Lovelace', 'operator');
  await ask(url, `/owner/api/sessions/${session}/start`, { headers: ada.headers, body: {} });
  await ask(url, `/owner/api/sessions/${session}/pause`, { headers: AS_OWNER, body: { reason: 'Lunch.' } });
  const run = async (...args: readonly string[]) => {
    const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY }, 140);
    const code = await runCli(['audit', ...args], terminal);
    return { code, out: terminal.output(), err: terminal.errors() };
  };
  return { url, session, ada, run };
}

describe('parley audit', () => {
  test('lists the actions of people, newest first, with the texts of the transcript', async () => {
    const { session, ada, run } = await played();
    const { code, out } = await run();
    expect(code).toBe(EXIT.OK);
    const rows = out.split('\n').map((line) => line.split(/ {2,}/));
    expect(rows[0]).toEqual(['time', 'person', 'what', 'session', 'event']);
    expect(rows.slice(1).map(([, ...row]) => row)).toEqual([
      ['Owner', 'pauses the session', session, '3'],
      ['Ada Lovelace', 'starts the session', session, '2'],
      ['Owner', `adds Ada Lovelace (${ada.id}) as operator`, '-', '1'],
      ['Owner', expect.stringMatching(/^opens "/), session, '1'],
    ]);
  });

  test('filters by the name or the id of a person, and reports that there are more events', async () => {
    const { session, ada, run } = await played();
    for (const who of ['Ada Lovelace', ada.id])
      expect((await run('--person', who)).out).toContain('starts the session');
    expect((await run('--person', 'owner', '--kind', 'session.paused')).out).toContain('pauses the session');
    expect((await run('--person', 'Nobody')).out).toBe('No event matches.');
    expect((await run('--session', session.slice(0, 6), '--limit', '1')).out).toContain(
      'There are more events. To see them, add: --limit 2',
    );
    expect(await run('--from', 'today')).toMatchObject({ code: EXIT.REFUSED });
    expect(await run('--json', '--jsonl')).toMatchObject({ code: EXIT.USAGE });
  });

  test('prints the answer with --json, and all events with --jsonl, oldest first', async () => {
    const { run } = await played();
    const { events, more } = JSON.parse((await run('--json', '--limit', '3')).out);
    expect([events.length, more]).toEqual([3, true]);
    const lines = (await run('--jsonl')).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ kind }) => kind)).toEqual([
      'session.created',
      'person.added',
      'session.started',
      'session.paused',
    ]);
    expect(lines[3].hash).toMatch(/^[0-9a-f]{64}$/);
  });
});
