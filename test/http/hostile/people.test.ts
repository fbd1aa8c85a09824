import { randomBytes } from 'node:crypto';
import { createMemoryStorage, FIRST_PERSON, openPeople, ParleyError } from '@parley/core';
import { makeOwnerKey } from '@parley/owner-app';
import { expect, onTestFinished, test } from 'vitest';
import { ALL_TEXTS } from './texts/hostile-texts.ts';

function open() {
  const people = openPeople({ storage: createMemoryStorage(), makeKey: makeOwnerKey, random: randomBytes });
  onTestFinished(() => people.close());
  return { people, calls: people.calls(FIRST_PERSON) };
}

/** Matches what nobody sees, outside of emoji: control, format, private and filling characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|\u034f/u;
const EMOJI = /\p{Extended_Pictographic}(?:\ufe0f|\u200d|\p{Emoji_Modifier})*/gu;
const isSeen = (name: string): boolean => !UNSEEN.test(name.replace(EMOJI, ''));

const IMPOSTORS = [
  'Owner',
  'Ow\u00adner',
  'Owner\u3164',
  'Ow\u034fner',
  'Owner\ufe0f',
  '\u202erenwO',
  'O\u0332wner',
  'Ownęr',
  'Øwner',
  '0wner.',
  '<Owner>',
  'Owner (2)',
  'Ada (you)',
  'Ada (approver)',
  'ꓳꓪꓠꓰꓣ',
  'Оwnеr',
  'agent_a',
  'Ma11ory',
  'Mállory',
  'rnallory',
];

test('a person is added only under a name of which everything is seen, and nothing else is an error of the service', async () => {
  const { calls } = open();
  const accepted: string[] = [];
  for (const text of ALL_TEXTS) {
    const added = await calls.addPerson({ name: text, role: 'viewer' }).catch((error: unknown) => error);
    if (added instanceof ParleyError) expect(['INVALID_INPUT', 'INVALID_JSON']).toContain(added.code);
    else accepted.push(String(Object(added).person.name));
  }
  expect(accepted.filter((name) => !isSeen(name))).toEqual([]);
  expect((await calls.listPeople()).people.map(({ name }) => name)).toEqual(accepted);
  expect(accepted.length).toBeGreaterThan(40);
});

test('a company account signs in under every name, of which everything is seen', async () => {
  const { people } = open();
  const names = new Set<string>();
  for (const [index, name] of [...ALL_TEXTS, ...IMPOSTORS].entries())
    names.add((await people.admit({ subject: `https://login.example.com ${index}`, name, role: 'viewer' })).name);
  expect(names.size).toBe(ALL_TEXTS.length + IMPOSTORS.length);
  expect([...names].filter((name) => !isSeen(name))).toEqual([]);
});

test.each(IMPOSTORS)('nobody is added as %j beside Mallory', async (name) => {
  const { calls } = open();
  await calls.addPerson({ name: 'Mallory', role: 'viewer' });
  await expect(calls.addPerson({ name, role: 'viewer' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});
