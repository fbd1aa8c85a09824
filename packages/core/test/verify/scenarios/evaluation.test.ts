import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluateEvidence, failingText, missingText } from '../../../src/areas/verify/scenarios.ts';

type Item = Parameters<typeof evaluateEvidence>[0][number];
type Policy = NonNullable<Parameters<typeof evaluateEvidence>[1]>;

/**
 * Makes an item of evidence from a short form. `a1`: by agent_a with the request id r1. `b2!`: by agent_b with the
 * request id r2 and a failed assertion. `a1:trace`: by agent_a with the request id r1, of kind `trace`.
 */
function item(told: string, index: number): Item {
  const [, who, run, failed, kind = 'log'] = /^([ab])(\d)(!?)(?::(\w+))?$/.exec(told) ?? [];
  return {
    message_id: index + 1,
    by: who === 'a' ? 'agent_a' : 'agent_b',
    request_id: `r${run}`,
    failed: failed === '!',
    kind: kind === 'trace' || kind === 'manual' || kind === 'metric' ? kind : 'log',
  };
}

function evaluated(told: string, policy: Policy = {}) {
  const { missing, failing, ...evaluation } = evaluateEvidence(told.split(' ').filter(Boolean).map(item), policy);
  return { ...evaluation, missing: missing.map(missingText), failing: failing.map(failingText) };
}

const MISSING_BOTH = ['agent_a: 1 more item', 'agent_b: 1 more item'];

test('an evaluation names builder, number, kind and message as data', () => {
  const policy: Policy = { min_items: 2, per_agent_kinds: { agent_b: ['trace'] } };
  const evidence = ['a1!', 'a1'].map(item);
  expect(evaluateEvidence(evidence, policy)).toEqual({
    met: false,
    request_id: 'r1',
    missing: [
      { builder: 'agent_b', items: 2 },
      { builder: 'agent_b', kind: 'trace' },
    ],
    failing: [{ builder: 'agent_a', message_id: 1 }],
  });
});

describe('evidence without a policy', () => {
  test.each<[string, boolean, string | null, string[], string[]]>([
    ['', false, null, MISSING_BOTH, []],
    ['a1', false, 'r1', ['agent_b: 1 more item'], []],
    ['b1', false, 'r1', ['agent_a: 1 more item'], []],
    ['a1 a1 a1', false, 'r1', ['agent_b: 1 more item'], []],
    ['a1 b1', true, 'r1', [], []],
    ['b1 a1', true, 'r1', [], []],
    ['a1 b2', false, 'r2', ['agent_a: 1 more item'], []],
    ['a1 b2 b1', true, 'r1', [], []],
    ['a1! b1', false, 'r1', [], ['agent_a: an assertion failed in message #1']],
    ['a1 b1!', false, 'r1', [], ['agent_b: an assertion failed in message #2']],
    [
      'a1! b1!',
      false,
      'r1',
      [],
      ['agent_a: an assertion failed in message #1', 'agent_b: an assertion failed in message #2'],
    ],
    ['a1 b1 a1!', false, 'r1', [], ['agent_a: an assertion failed in message #3']],
    ['a1! b1 a2', false, 'r2', ['agent_b: 1 more item'], []],
    ['a1! b1 a2 b2', true, 'r2', [], []],
    ['a1 b1 a2!', true, 'r1', [], []],
    ['a1 a2 b1 b2', true, 'r2', [], []],
  ])('%j', (...row) => {
    const [told, met, requestId, missing, failing] = row;
    expect(evaluated(told)).toEqual({ met, request_id: requestId, missing, failing });
  });
});

describe('evidence with a policy', () => {
  const manualB: Policy = { per_agent_kinds: { agent_a: ['trace', 'metric'], agent_b: ['manual'] } };

  test.each<[string, Policy, string[]]>([
    ['', { min_items: 2 }, ['agent_a: 2 more items', 'agent_b: 2 more items']],
    ['a1 b1 b1', { min_items: 2 }, ['agent_a: 1 more item']],
    ['a1 a2 b1 b1', { min_items: 2 }, ['agent_a: 1 more item']],
    ['a1 a1 b1 b1', { min_items: 2 }, []],
    ['a1 b1', manualB, kinds('trace', 'metric')],
    ['a1:trace b1:manual', manualB, ['agent_a: evidence of kind metric']],
    ['a1:trace a1:metric b1:manual', manualB, []],
    ['a1:trace a2:metric b1:manual', manualB, ['agent_a: evidence of kind metric']],
    ['a1:manual b1:trace', manualB, kinds('trace', 'metric')],
    ['a1:trace b1', { per_agent_kinds: { agent_a: ['trace'] } }, []],
    ['a1 b1', { per_agent_kinds: { agent_a: ['trace', 'trace'] } }, ['agent_a: evidence of kind trace']],
    ['a1:trace b1', { per_agent_kinds: { agent_a: ['trace'] }, min_items: 2 }, MISSING_BOTH],
  ])('%j by %j lacks %j', (told, policy, missing) => {
    expect(evaluated(told, policy)).toMatchObject({ met: missing.length === 0, missing, failing: [] });
  });

  function kinds(...left: string[]): string[] {
    return [...left.map((kind) => `agent_a: evidence of kind ${kind}`), 'agent_b: evidence of kind manual'];
  }
});

describe('evidence that need not be correlated', () => {
  test.each<[string, boolean, string[], string[]]>([
    ['', false, MISSING_BOTH, []],
    ['a1', false, ['agent_b: 1 more item'], []],
    ['a1 b2', true, [], []],
    ['a1 b1', true, [], []],
    ['a1!', false, ['agent_b: 1 more item'], ['agent_a: an assertion failed in message #1']],
    ['a1! b2', false, [], ['agent_a: an assertion failed in message #1']],
    ['a1! b2 a3', true, [], []],
    ['a1! b1 a3', false, [], ['agent_a: an assertion failed in message #1']],
    [
      'a1! b2! a3',
      false,
      [],
      ['agent_a: an assertion failed in message #1', 'agent_b: an assertion failed in message #2'],
    ],
    ['a1! b2! a3 b3', true, [], []],
  ])('%j', (told, met, missing, failing) => {
    expect(evaluated(told, { correlated: false })).toEqual({ met, request_id: null, missing, failing });
  });
});

describe('any evidence', () => {
  const KINDS = ['log', 'trace', 'manual'] as const;
  const items = fc
    .array(
      fc.record({
        by: fc.constantFrom('agent_a' as const, 'agent_b' as const),
        kind: fc.constantFrom(...KINDS),
        request_id: fc.constantFrom('r1', 'r2', 'r3'),
        failed: fc.boolean(),
      }),
      { maxLength: 14 },
    )
    .map((list) => list.map((each, index) => ({ ...each, message_id: index + 1 })));
  const someKinds = fc.array(fc.constantFrom(...KINDS), { maxLength: 2 });
  const policies = fc.record(
    {
      per_agent_kinds: fc.record({ agent_a: someKinds, agent_b: someKinds }, { requiredKeys: [] }),
      min_items: fc.integer({ min: 1, max: 3 }),
      correlated: fc.boolean(),
    },
    { requiredKeys: [] },
  );

  /**
   * A second implementation of the rule, with which the tests compare `evaluateEvidence`. Items with the same request
   * id are a run. One run without failed assertions must have enough items. If the policy allows several runs, the
   * items of all runs without failed assertions count together.
   */
  function isMet(evidence: readonly Item[], policy: Policy): boolean {
    const runs = ['r1', 'r2', 'r3'].map((id) => evidence.filter(({ request_id }) => request_id === id));
    const clean = runs.filter((run) => !run.some(({ failed }) => failed));
    return (policy.correlated === false ? [clean.flat()] : clean).some((run) =>
      (['agent_a', 'agent_b'] as const).every((who) => {
        const own = run.filter(({ by }) => by === who);
        const kinds = own.map(({ kind }) => String(kind));
        return (
          own.length >= (policy.min_items ?? 1) &&
          (policy.per_agent_kinds?.[who] ?? []).every((kind) => kinds.includes(kind))
        );
      }),
    );
  }

  test('is sufficient exactly when the rule is met', () => {
    fc.assert(
      fc.property(items, policies, (evidence, policy) => {
        expect(evaluateEvidence(evidence, policy).met).toBe(isMet(evidence, policy));
      }),
      { numRuns: 1_000 },
    );
  });

  test('of one agent only is never sufficient', () => {
    fc.assert(
      fc.property(items, policies, fc.constantFrom('agent_a', 'agent_b'), (evidence, policy, who) => {
        const own = evidence.filter(({ by }) => by === who);
        expect(evaluateEvidence(own, policy).met).toBe(false);
      }),
    );
  });

  test('lists what is missing exactly when it is not sufficient', () => {
    fc.assert(
      fc.property(items, policies, (evidence, policy) => {
        const { met, missing, failing } = evaluateEvidence(evidence, policy);
        expect(missing.length + failing.length === 0).toBe(met);
      }),
    );
  });

  test('with a failed assertion can be judged as soon as both agents have submitted the required items', () => {
    fc.assert(
      fc.property(items, policies, (evidence, policy) => {
        const failed = evidence.map((each) => ({ ...each, failed: true }));
        const { failing, missing } = evaluateEvidence(failed, policy);
        expect(failing.length > 0).toBe(evidence.length > 0);
        expect(missing.length === 0).toBe(
          isMet(
            failed.map((each) => ({ ...each, failed: false })),
            policy,
          ),
        );
      }),
    );
  });
});
