import { describe, expect, test } from 'vitest';
import { AS_OWNER, ask, createSession } from '../ask.ts';
import { addPerson, runPeopleApp } from '../people-app.ts';
import { runApp } from '../running-app.ts';

const AUDIT = '/owner/api/audit';

async function played() {
  const { url } = await runPeopleApp();
  const session = await createSession(url);
  const ada = await addPerson(url, 'Ada', 'operator');
  await ask(url, `/owner/api/sessions/${session}/start`, { headers: ada.headers, body: {} });
  return { url, session, ada };
}

describe('GET /owner/api/audit', () => {
  test('lists what people did, and the changes of people, to a viewer too', async () => {
    const { url, session, ada } = await played();
    const { headers } = await addPerson(url, 'Vera', 'viewer');
    const { status, json } = await ask(url, AUDIT, { headers });
    expect(status).toBe(200);
    expect(json.events.map((one: Record<string, unknown>) => [one.person, one.kind, one.session_id])).toEqual([
      [{ id: 'owner', name: 'Owner' }, 'person.added', null],
      [{ id: ada.id, name: 'Ada' }, 'session.started', session],
      [{ id: 'owner', name: 'Owner' }, 'person.added', null],
      [{ id: 'owner', name: 'Owner' }, 'session.created', session],
    ]);
    expect(JSON.stringify(json)).not.toContain('key_hash');
  });

  test('takes filters and pages in the query', async () => {
    const { url, session, ada } = await played();
    const page = async (query: string) => (await ask(url, `${AUDIT}?${query}`, { headers: AS_OWNER })).json;
    expect((await page(`person=${ada.id}`)).events).toHaveLength(1);
    const { events, next_after } = await page('limit=2');
    const rest = await page(`limit=2&after=${encodeURIComponent(next_after)}`);
    expect([...events, ...rest.events].map(({ kind }: { kind: string }) => kind)).toEqual([
      'session.started',
      'person.added',
      'session.created',
    ]);
    expect((await page(`session_id=${session}&kind=session.started`)).events).toHaveLength(1);
    expect(await page('limit=0')).toMatchObject({ error: 'INVALID_INPUT' });
    expect(await page('from=now')).toMatchObject({ error: 'INVALID_INPUT', issues: [{ path: 'from' }] });
  });

  test('is refused without a key, and has no people in a service without people', async () => {
    const { url } = await played();
    expect((await ask(url, AUDIT)).status).toBe(401);
    expect((await ask(url, `${AUDIT}/export`)).status).toBe(401);
    const alone = await runApp();
    await createSession(alone.url);
    const { json } = await ask(alone.url, AUDIT, { headers: AS_OWNER });
    expect(json.events.map(({ kind }: { kind: string }) => kind)).toEqual(['session.created']);
  });

  test('exports all as JSON lines, oldest first, whose hashes are those of the log', async () => {
    const { url, session } = await played();
    const { headers, text } = await ask(url, `${AUDIT}/export`, { headers: AS_OWNER });
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="parley-audit.jsonl"');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ kind }) => kind)).toEqual(['session.created', 'person.added', 'session.started']);
    const log = await ask(url, `/owner/api/sessions/${session}/log`, { headers: AS_OWNER });
    const hashes = log.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).hash);
    expect([lines[0].hash, lines[2].hash]).toEqual(hashes);
    expect(await ask(url, `${AUDIT}/export?limit=3`, { headers: AS_OWNER })).toMatchObject({
      status: 422,
      json: { error: 'INVALID_INPUT' },
    });
  });
});
