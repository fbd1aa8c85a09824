import { describe, expect, onTestFinished, test } from 'vitest';
import { createMemoryStorage, createParley, type Person } from '../../src/index.ts';
import { SAMPLE_SESSION } from '../../src/testing/opening-events.ts';

const person = (role: Person['role'], name = 'Ada'): Person => ({ id: `id-of-${name}`, name, role });

async function opened() {
  const parley = await createParley({ storage: createMemoryStorage() });
  onTestFinished(() => parley.close());
  const { session_id } = await parley.owner('o').createSession(SAMPLE_SESSION);
  return { parley, session_id };
}

describe('the role of a person', () => {
  test('refuses before anything is stored, and says what to do', async () => {
    const { parley, session_id } = await opened();
    const viewer = parley.owner('o', { person: person('viewer') });
    await expect(viewer.pause(session_id, { reason: 'Lunch.' })).rejects.toMatchObject({
      code: 'ROLE_FORBIDDEN',
      message: 'pause needs the role operator; your role is viewer.',
    });
    expect(await viewer.verifyLog(session_id)).toMatchObject({ ok: true, events: 1 });
  });
});

describe('the person of a call', () => {
  test('is in the event, in the transcript and in what find finds, and in no event of another role', async () => {
    const { parley } = await opened();
    const owner = parley.owner('o', { person: person('operator') });
    const { session_id } = await owner.createSession(SAMPLE_SESSION);
    const renamed = parley.owner('o', { person: { ...person('operator'), name: 'Ada Lovelace' } });
    await renamed.ask(session_id, { targets: ['agent_a'], text: 'Which queue?' });
    await parley.owner('o').ask(session_id, { targets: ['agent_a'], text: 'Which broker?' });
    const lines: string[] = [];
    for await (const line of owner.exportLog(session_id)) lines.push(JSON.parse(JSON.parse(line).event).person?.name);
    expect(lines).toEqual(['Ada', 'Ada Lovelace', undefined]);
    const { messages } = await owner.transcript(session_id);
    expect(messages.map((message) => message.person)).toEqual([{ id: 'id-of-Ada', name: 'Ada Lovelace' }, undefined]);
    const { hits } = await owner.find({ words: 'Which' });
    expect(hits.map(({ name }) => name)).toEqual([null, 'Ada Lovelace']);
    expect(await owner.verifyLog(session_id)).toMatchObject({ ok: true, events: 3 });
  });

  test('is in the events of a pause of all sessions', async () => {
    const { parley, session_id } = await opened();
    const owner = parley.owner('o', { person: person('operator') });
    await owner.start(session_id);
    await owner.pauseAll({ reason: 'Lunch.' });
    const events: unknown[] = [];
    const stop = new AbortController();
    for await (const event of owner.watch(session_id, { signal: stop.signal })) {
      events.push([event.kind, event.person?.name]);
      if (events.length === 3) break;
    }
    expect(events).toEqual([
      ['session.created', undefined],
      ['session.started', 'Ada'],
      ['session.paused', 'Ada'],
    ]);
  });

  test.each([
    [{ id: '', name: 'Ada', role: 'viewer' }, 'person.id must be 1 to 200 characters on one line.'],
    [{ id: 'a', name: 'A\nB', role: 'viewer' }, 'person.name must be 1 to 200 characters on one line.'],
    [{ id: 'a', name: 'x'.repeat(201), role: 'viewer' }, 'person.name must be 1 to 200 characters on one line.'],
    [
      { id: 'a', name: 'Ada\u3164', role: 'viewer' },
      'person.name must not contain an invisible, blank or private character.',
    ],
    [
      { id: 'a', name: 'Owner', role: 'viewer' },
      'person.name must not look like a name that Parley itself uses, such as Owner.',
    ],
    [
      { id: 'a', name: 'agent_a', role: 'viewer' },
      'person.name must not look like a name that Parley itself uses, such as Owner.',
    ],
    [{ id: 'a', name: '\ud800', role: 'viewer' }, 'person.name must be 1 to 200 characters on one line.'],
    [{ id: 'a', name: 'Ada', role: 'admin' }, 'person.role must be one of viewer, operator, approver.'],
  ])('is refused when it is malformed: %j', async (malformed, message) => {
    const { parley } = await opened();
    expect(() => parley.owner('o', { person: malformed as Person })).toThrow(new TypeError(message));
  });
});
