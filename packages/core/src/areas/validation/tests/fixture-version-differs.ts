import type { ContractRule } from '../rule.ts';

export const fixtureVersionDiffers: ContractRule = {
  reads: 'contract',
  code: 'FIXTURE_VERSION_DIFFERS',
  severity: 'error',
  explanation: 'The fixture_version is that of the session, which read_task shows.',
  hint: 'Write the fixture_version that read_task shows; readiness and handshakes must name the same.',

  *check({ fixture_version }, { fixtureVersion }) {
    if (fixture_version !== fixtureVersion)
      yield { pointer: '/fixture_version', message: 'This is not the fixture_version of the session.' };
  },
};
