import { expect, test } from 'vitest';
import { filenameFault } from '../../../packages/core/src/areas/validation/plan-rules.ts';
import { ALL_TEXTS, HOSTILE_TEXTS } from './texts/hostile-texts.ts';
import { SAFE_NAMES, UNSAFE_NAMES } from './texts/names.ts';

test('there are more than a hundred hostile texts of every sort, and no two are alike', () => {
  expect(Object.keys(HOSTILE_TEXTS)).toHaveLength(21);
  expect(ALL_TEXTS.length).toBeGreaterThan(180);
  expect(new Set(ALL_TEXTS).size).toBe(ALL_TEXTS.length);
  expect(Object.entries(HOSTILE_TEXTS).filter(([, texts]) => texts.length < 3)).toEqual([]);
});

test('each can be stored: what cannot is refused before it is one of anything', () => {
  expect(ALL_TEXTS.filter((text) => text.includes('\0') || !text.isWellFormed())).toEqual([]);
});

test('names that can be saved anywhere are taken, and no others', () => {
  expect(SAFE_NAMES.filter((name) => filenameFault(name) !== null)).toEqual([]);
  expect(UNSAFE_NAMES.filter((name) => filenameFault(name) === null)).toEqual([]);
});
