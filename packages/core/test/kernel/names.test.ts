import { describe, expect, test } from 'vitest';
import { isRoleName, lookKey, nameFault, nameKey } from '../../src/kernel/name-key.ts';

const HIDDEN = 'Must not contain an invisible, blank or private character.';
const SCRIPTS = 'Must not mix scripts in one word.';

describe('the key of a name', () => {
  test.each([
    ['Mallory', 'mallory'],
    ['MALLORY', 'mallory'],
    ['  two \t words\n', 'two words'],
    ['two\u00a0\u3000words', 'two words'],
    ['Jose\u0301', 'josé'],
    ['Jos\u00e9', 'josé'],
    ['Ｏｗｎｅｒ', 'owner'],
    ['Straße', 'strasse'],
    ['STRASSE', 'strasse'],
    ['Οδυσσεύς', 'οδυσσεύσ'],
    ['ΟΔΥΣΣΕΎΣ', 'οδυσσεύσ'],
    ['Ow\u00adner\u3164\u115f\uffa0\u034f\u2800\ufe0f\u200d\ue000\ufeff', 'owner'],
    ['a\u2028b', 'a b'],
    ['O\u0308\u200dl', 'öl'],
  ])('of %j is %j', (name, key) => {
    expect(nameKey(name)).toBe(key);
    expect(nameKey(key)).toBe(key);
  });

  test('differs for names that read differently', () => {
    expect(nameKey('José')).not.toBe(nameKey('Jose'));
    expect(nameKey('Phase I')).not.toBe(nameKey('Phase l'));
  });
});

describe('the look of a name', () => {
  test.each([
    ['Ma11ory', 'Mallory'],
    ['MaIIory', 'Mallory'],
    ['rnallory', 'mallory'],
    ['Аԁа', 'Ada'],
    ['ΑΝΝΑ', 'ANNA'],
    ['0scar', 'Oscar'],
    ['Ada\u2009Lovelace', 'Ada Lovelace'],
    ['Bob.', 'Bob'],
    ['Ada-Lovelace', 'Ada Lovelace'],
    ['José', 'Jose'],
    ['Ada\u0332', 'Ada'],
    ['Å\u20ddda', 'Ada'],
    ['Søłħ', 'Solh'],
    ['Андрей', 'Андреи'],
    ['ꓮꓓꓮ', 'Ada'],
    ['ᎠᎪᏙᎬ', 'DAVE'],
  ])('of %j is that of %j', (one, other) => {
    expect(lookKey(one)).toBe(lookKey(other));
  });

  test.each([
    ['Ada', 'Eda'],
    ['Иван', 'Ivan'],
    ['Ada (2)', 'Ada (3)'],
    ['かき', 'がぎ'],
    ['राम', 'रम'],
  ])('of %j is not that of %j', (one, other) => {
    expect(lookKey(one)).not.toBe(lookKey(other));
  });
});

describe('a name that people read', () => {
  test.each([
    'Ada Lovelace',
    "Conan O'Brien",
    'José',
    'Ế\u0323da',
    'ที่ปรึกษา',
    'Иван Петров',
    '艾达',
    'さくら Mari',
    '김 Mina',
    '李 Wei',
    'Иванов Ivan (IT)',
    'さくらMari',
    'Ada 2',
    '★',
    '👩🏽‍💻 Ada ❤️',
  ])('may be %j', (name) => {
    expect(nameFault(name)).toBeUndefined();
  });

  test.each([
    '\u3164',
    'Owner\u115f',
    'Ada\uffa0',
    'Ada\u2800',
    'A\u034fda',
    'Ada\ufe0f',
    'Ada\u200d',
    'Ada\u200b',
    'Ada\ue000',
    'Ada\u{e0041}',
    'Ada\u202e',
    'Ada\u0007',
    'Ada\ud800',
  ])('may not contain what nobody sees: %j', (name) => {
    expect(nameFault(name)).toBe(HIDDEN);
  });

  test.each([`A${'\u0336'.repeat(5)}da`, `Ada${'\u0e49'.repeat(40)}`])('may not pile up marks: %j', (name) => {
    expect(nameFault(name)).toBe('Must not have more than four marks on one letter.');
  });

  test.each(['Оwner', 'Ivаn', 'αdmin', 'ᎪdᎪ'])('may not mix scripts: %j', (name) => {
    expect(nameFault(name)).toBe(SCRIPTS);
  });
});

describe('a name of a role', () => {
  test.each([
    'Owner',
    'OWNER',
    'Оwnеr',
    '0wner',
    'O-w-n-e-r',
    'owner.',
    'ᴏᴡɴᴇʀ',
    '(You)',
    'agent_a',
    'AgentB',
    'rnoderator',
    'RETENTlON',
    'Ow\u3164ner',
    'Ada (you)',
    'Ada \uff3bY0U\uff3d',
    'Ówner',
    'Ownęr',
    'O\u0332w\u0332n\u0332e\u0332r\u0332',
    'Øwner',
    'ꓳꓪꓠꓰꓣ',
    'Owner (2)',
    'Moderator [bot]',
    '<Owner>',
    '★ Owner ★',
    'O´wnerʼ',
    'Ada (approver)',
    'Ada [Operatór]',
    'Ada (viewer',
    'Ada «owner»',
    'Ada <moderator>',
  ])('is recognised in %j', (name) => {
    expect(isRoleName(name)).toBe(true);
  });

  test.each(['Owen', 'Agent Smith', 'Paula', 'Retention team', 'Ada (Youssef)', 'Ada (2)', 'Ada (IT)', 'Zoë', '★'])(
    'is not %j',
    (name) => {
      expect(isRoleName(name)).toBe(false);
    },
  );
});
