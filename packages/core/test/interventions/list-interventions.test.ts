import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { acknowledged, directed, intervened, interventionWithdrawn, responded } from '../past.ts';

type Past = Parameters<typeof given>[0];

const listed = (past: Past, role: 'agent_a' | 'agent_b') =>
  given(past)
    .when('list_interventions', {}, role)
    .reply()
    .interventions.map(({ intervention_id, status }) => `${intervention_id} ${status}`);

describe('list_interventions', () => {
  test('shows the interventions that target the caller, oldest first, with the progress of the caller', () => {
    const past = [intervened('i_1'), directed('i_2', { targets: ['agent_b'] }), acknowledged('agent_b', 'i_1')];
    expect(listed(past, 'agent_a')).toEqual(['i_1 OPEN']);
    expect(listed(past, 'agent_b')).toEqual(['i_1 ACKNOWLEDGED', 'i_2 OPEN']);
  });

  test('leaves out an intervention that the caller has answered, but not for the other target', () => {
    const past = [intervened('i_1'), responded('agent_a', 'i_1', 'We do.')];
    expect(listed(past, 'agent_a')).toEqual([]);
    expect(listed(past, 'agent_b')).toEqual(['i_1 OPEN']);
  });

  test('leaves out withdrawn interventions', () => {
    expect(listed([directed('i_1'), interventionWithdrawn('i_1')], 'agent_a')).toEqual([]);
  });

  test('keeps a directive that was acknowledged and not answered', () => {
    expect(listed([directed('i_1'), acknowledged('agent_a', 'i_1')], 'agent_a')).toEqual(['i_1 ACKNOWLEDGED']);
  });
});
