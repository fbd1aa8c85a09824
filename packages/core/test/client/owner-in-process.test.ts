import { expect, test } from 'vitest';
import { ownerInProcess } from '../../src/client/index.ts';
import { createMemoryStorage, createParley } from '../../src/index.ts';

const SESSION = { title: 'T', objective: 'O', requirements: [{ requirement_id: 'r', text: 'R' }] };

async function open() {
  const parley = await createParley({ storage: createMemoryStorage() });
  return { parley, owner: ownerInProcess(parley.owner('team')) };
}

test('an owner in process makes calls on one session and on all of them', async () => {
  const { parley, owner } = await open();
  const { session_id } = await owner.call('createSession', SESSION);
  const { code } = await owner.call('invite', { session_id, role: 'agent_a' });
  const { token } = await parley.redeem({ code });
  await owner.call('start', { session_id });
  const { instruction } = await parley.agent(token).call('read_session_state');
  expect(instruction.tool).toBe('post_turn');
  expect((await owner.call('pauseAll', { reason: 'Lunch.' })).paused).toEqual([session_id]);
  expect((await owner.call('view', { session_id })).state.status).toBe('PAUSED');
});

test('a call in process is refused like one over HTTP, and calls about people are not there', async () => {
  const { owner } = await open();
  const absent = owner.call('start', { session_id: 'absent' });
  await expect(absent).rejects.toMatchObject({ code: 'UNKNOWN_RECORD', status: 404 });
  await expect(owner.call('listPeople')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a name, a member or a value that no call has is an error of the compiler', async () => {
  const { owner } = await open();
  // @ts-expect-error: no call has this name
  await expect(owner.call('pauze', { session_id: 's' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  // @ts-expect-error: the role is none of the three
  await expect(owner.call('invite', { session_id: 's', role: 'boss' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
  // @ts-expect-error: a call on one session needs its id
  await expect(owner.call('start', {})).rejects.toThrow();
});
