import { expect, test } from 'vitest';
import { Contract } from '../../../core/src/areas/document/contract.ts';
import { sectionOfMember, sectionsOf } from '../../console/src/session/reading/contract-model.ts';

const MEMBERS = ['requirements', ...Object.keys(Contract.shape)];

test.each(MEMBERS)('the console reads %s in a section with a name', (section) => {
  expect(sectionOfMember(section).id).not.toBe('other');
});

test('the console shows each section with its members', () => {
  const contract = Object.fromEntries([...MEMBERS, 'unknown'].map((member) => [member, []]));
  expect(sectionsOf(contract, []).map(({ id, members }) => [id, members.toSorted()])).toEqual([
    ['summary', ['fixture_version', 'schema_version', 'scope', 'summary', 'title']],
    ['requirements', ['requirements']],
    ['decisions', ['decisions']],
    ['interfaces', ['interfaces']],
    ['models', ['data_models']],
    ['tasks', ['tasks']],
    ['tests', ['tests']],
    ['gates', ['gates']],
    ['rollout', ['rollout']],
    ['risks', ['risks', 'safety_conditions']],
    ['dependencies', ['dependencies']],
    ['artifacts', ['artifacts']],
    ['other', ['requirements', 'unknown']],
  ]);
});
