import { type CredentialPattern, marked, named, token } from '../pattern.ts';

/** Credentials of databases, vaults and monitoring services. */
export const DATA_STORES: readonly CredentialPattern[] = [
  token('Databricks token', ['dapi', 'dkea', 'dose'], '[0-9a-f]{32}'),
  token('Vault token', ['hvs.', 'hvb.', 'hvr.'], '[A-Za-z0-9_-]{24,300}'),
  token(
    'Doppler token',
    ['pt', 'st', 'ct', 'sa', 'scim', 'audit'].map((form) => `dp.${form}.`),
    '[A-Za-z0-9._-]{40,100}',
  ),
  token('1Password token', 'ops_eyJ', '[A-Za-z0-9_-]{100,2000}'),
  token(
    '1Password secret key',
    'A3-',
    '[A-Z0-9]{6}-[A-Z0-9]{5,6}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}(?:-[A-Z0-9]{5})?',
  ),
  token('Supabase token', 'sbp_', '[0-9a-f]{40}'),
  token('Supabase secret key', 'sb_secret_', '[A-Za-z0-9_-]{20,100}'),
  token('PlanetScale token', ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], '[A-Za-z0-9_=.-]{32,100}'),
  token('Neon key', 'napi_', '[a-z0-9]{40,80}'),
  token('Airtable token', 'pat', '[A-Za-z0-9]{14}\\.[0-9a-f]{64}'),
  token('Grafana token', 'glsa_', '[A-Za-z0-9]{32}_[0-9a-fA-F]{8}'),
  token('Grafana token', 'glc_', '[A-Za-z0-9+/=]{32,400}'),
  token('Grafana key', 'eyJrIjoi', '[A-Za-z0-9]{60,400}'),
  token('New Relic key', ['NRAK-', 'NRJS-', 'NRII-', 'NRSP-', 'NRRA-'], '[A-Za-z0-9_-]{19,60}'),
  marked({ kind: 'New Relic license key', marks: ['NRAL'], before: '([0-9a-f]{36})', rest: 'NRAL(?![A-Za-z0-9])' }),
  {
    kind: 'Datadog key',
    certainty: 'certain',
    ...named(
      ['dd_', 'dd-', 'dd.', 'dd ', 'ddap', 'datadog'],
      '(?:dd|datadog)[ _.-]?(?:api|app|application)[ _.-]?key',
      '([0-9a-f]{40}|[0-9a-f]{32})(?![0-9a-f])',
    ),
  },
  token('Datadog key', ['ddapp_', 'ddpat_'], '[A-Za-z0-9]{34,60}'),
  token('Sentry token', 'sntrys_', '[A-Za-z0-9+/=_-]{40,500}'),
  token('Sentry token', 'sntryu_', '[0-9a-f]{64}'),
  token('Dynatrace token', 'dt0c01.', '[A-Z2-7]{24}\\.[A-Z2-7]{64}'),
  token('Honeycomb key', ['hcaik_', 'hcxik_', 'hcbik_', 'hcamk_'], '[a-z0-9]{32,70}'),
  token('PostHog key', ['phx_', 'phs_'], '[A-Za-z0-9_]{40,60}'),
  token('Snyk token', 'snyk_uat.', '[a-z0-9]{8}\\.[A-Za-z0-9_.-]{30,100}'),
];
