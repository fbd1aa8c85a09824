import { describe, expect, test } from 'vitest';
import { BLOCKER_CODES } from '../../src/areas/task.ts';
import { resolutionOf } from '../model/moves/fill.ts';
import { type Blocker, seen } from '../model/seen.ts';
import { by, certified, judges, type Story, stopsModerator, tell } from '../model/starting-states.ts';
import { isThere, make, showCall } from '../model/world.ts';
import { BLOCKED_STATES } from './blocked-states.ts';

const keyOf = ({ code, record, responsible }: Blocker): string => `${code} ${record.id} ${responsible}`;
const blockersIn = (story: Story): Blocker[] => seen(story.world).blockers().blockers;

const ACTIVE_STATES = BLOCKED_STATES.filter(({ story }) => seen(story.world).state('agent_a').status === 'ACTIVE');

describe('the resolution of a blocker', () => {
  test('is tested for every code', () => {
    const tried = new Set(BLOCKED_STATES.map(({ code }) => code));
    expect(BLOCKER_CODES.filter((code) => !tried.has(code))).toEqual([]);
  });

  test.each(BLOCKED_STATES)('exists for $code: $state', ({ code, story, blockers }) => {
    const found = blockersIn(story).filter((blocker) => blocker.code === code);
    expect(found.map(({ record, responsible }) => `${record.id} ${responsible}`)).toEqual(blockers);
    for (const { record, message, responsible, resolution } of found) {
      expect(record.type).toMatch(/^[a-z]+$/);
      expect(message).toMatch(/\S.*\.$/s);
      expect(resolution.text).toMatch(/\S/);
      expect(isThere(responsible, resolution.tool ?? 'none')).toBe(true);
    }
  });

  test.each(BLOCKED_STATES)('removes $code if the call is made: $state', ({ code, story }) => {
    for (const blocker of blockersIn(story).filter((candidate) => candidate.code === code)) {
      const call = resolutionOf(blocker, seen(story.world));
      const { world, refusal } = make(story.world, call);
      expect(refusal?.message, showCall(call)).toBeUndefined();
      const left = seen(world).blockers().blockers.map(keyOf);
      expect(left).not.toContain(keyOf(blocker));
    }
  });

  test.each(ACTIVE_STATES)('works independently of other blockers: $code, $state', ({ story }) => {
    for (const blocker of blockersIn(story)) {
      const call = resolutionOf(blocker, seen(story.world));
      const { world, refusal } = make(story.world, call);
      expect(refusal?.message, showCall(call)).toBeUndefined();
      expect(seen(world).blockers().blockers.map(keyOf)).not.toContain(keyOf(blocker));
    }
  });

  test('repairs the contract: none of the faults remains as an error', () => {
    for (const { story } of BLOCKED_STATES.filter(({ code }) => code === 'VALIDATION_ERROR')) {
      const [blocker] = blockersIn(story).filter(({ code }) => code === 'VALIDATION_ERROR');
      if (!blocker) throw new Error('The error is missing.');
      const { world } = make(story.world, resolutionOf(blocker, seen(story.world)));
      expect(seen(world).plan()).toMatchObject({ validation_errors: [], revision_id: 'r_2' });
    }
  });

  test('is not required for an objection of a stopped moderator', () => {
    const story = tell(
      certified,
      judges('REQUEST_CHANGES'),
      stopsModerator,
      by('owner', 'approveContract', {
        revision_id: 'r_1',
        content_hash: '135b48954765d48973b1ed6a78a0150f3fba3ca8cee09ed22ccb7726a5705cc3',
      }),
      by('owner', 'restoreModerator'),
    );
    expect(seen(story.world).blockers()).toMatchObject({ certified: true, blockers: [] });
  });

  test('leads to a certified revision if the first call is made each time', () => {
    for (const { story } of ACTIVE_STATES) {
      let { world } = story;
      for (let step = 0; step < 20; step += 1) {
        const [first] = seen(world).blockers().blockers;
        if (first) world = make(world, resolutionOf(first, seen(world))).world;
      }
      expect(seen(world).blockers()).toMatchObject({ certified: true, blockers: [] });
    }
  });
});
