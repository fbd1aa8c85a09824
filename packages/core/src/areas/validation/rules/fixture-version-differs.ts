import type { ContractRule } from '../rule.ts';

export const fixtureVersionDiffers: ContractRule = {
  reads: 'contract',
  code: 'FIXTURE_VERSION_DIFFERS',
  severity: 'error',
  explanation: 'Both sides test with the data of the session; another version makes their results incomparable.',
  hint: 'Write the fixture_version of the session, as readiness and handshake will name it.',

  *check({ fixture_version }, { fixtureVersion }) {
    if (fixture_version !== fixtureVersion)
      yield { pointer: '/fixture_version', message: 'This is not the fixture_version of the session.' };
  },
};
