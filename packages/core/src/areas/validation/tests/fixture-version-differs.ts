import type { ContractRule } from '../rule.ts';

export const fixtureVersionDiffers: ContractRule = {
  reads: 'contract',
  code: 'FIXTURE_VERSION_DIFFERS',
  severity: 'error',
  explanation: 'The fixture_version must be the one that read_task shows.',
  hint: 'Write the fixture_version that read_task shows. Reports of readiness and handshakes must repeat it exactly.',

  *check({ fixture_version }, { fixtureVersion }) {
    if (fixture_version !== fixtureVersion)
      yield { pointer: '/fixture_version', message: 'This is not the fixture_version of the session.' };
  },
};
