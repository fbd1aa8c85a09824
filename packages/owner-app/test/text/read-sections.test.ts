import { expect, test } from 'vitest';
import { Contract } from '../../../core/src/areas/document/contract.ts';
import { headingOf } from '../../../core/src/areas/reading/sections.ts';
import { sectionOfMember, sectionsOf } from '../../console/src/session/reading/contract-model.ts';
import { readSection } from '../../src/text/records/read-sections.ts';

const MEMBERS = ['requirements', ...Object.keys(Contract.shape)];

test.each(MEMBERS)('the service and its clients read %s in the same section', (section) => {
  expect(readSection(section)).toBe(headingOf({ section, sha256: '' }));
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
