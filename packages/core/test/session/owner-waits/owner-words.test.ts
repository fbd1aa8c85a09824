import { expect, test } from 'vitest';
import { operations } from '../../../src/areas/registry.ts';
import { given, type PastEvent } from '../../../src/testing/index.ts';
import * as story from '../../story.ts';
import { WAITS } from './owner-wait-cases.ts';

/** Names of the tools of agents, without names that are also ordinary words, such as `health`. */
const TOOLS = operations.map(({ name }) => name).filter((name) => name.includes('_'));

const isPast = (value: unknown): value is readonly PastEvent[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'object' && 'kind' in item);
const stories = Object.entries(story).flatMap(([what, value]) => (isPast(value) ? [[what, value] as const] : []));
const pasts = [...stories, ...WAITS.map(({ what, past }) => [what, past] as const)];

test.each(pasts)(
  'no wait, duty, action, instruction or brief for the owner names a tool of agents: %s',
  (_what, past) => {
    const at = given(past, { limits: { silentAfterMs: 1 } });
    const { waits, duties, state, actions } = at.when('view', {}, 'owner').reply();
    const { blockers } = at.when('blockers', {}, 'owner').reply();
    const { missing } = at.when('brief', {}, 'owner').reply();
    const said = [
      state.instruction.text,
      ...waits.map(({ text }) => text),
      ...duties.map(({ text }) => text),
      ...actions.map(({ text }) => text),
      ...blockers.map(({ message }) => message),
      ...missing,
    ];
    expect(said.filter((text) => TOOLS.some((tool) => new RegExp(`\\b${tool}\\b`).test(text)))).toEqual([]);
  },
);

test.each(pasts)('every duty, and every step of a silent agent, has its own text: %s', (_what, past) => {
  const { waits, duties } = given(past, { limits: { silentAfterMs: 1 } })
    .when('view', {}, 'owner')
    .reply();
  expect(duties.filter(({ text }) => text === 'take its next step')).toEqual([]);
  expect(waits.filter(({ text }) => text.includes('take its next step'))).toEqual([]);
});
