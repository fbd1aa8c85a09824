import { type CredentialPattern, marked, token } from '../pattern.ts';

const GITLAB = ['pat', 'dt', 'rt', 'rtr', 'cbt', 'ptt', 'ft', 'agent', 'imt', 'oas', 'soat', 'ffct', 'wt'];

/** Credentials of code hosts, build services and package registries. */
export const CODE_HOSTS: readonly CredentialPattern[] = [
  {
    ...token('GitHub token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], '[A-Za-z0-9]{20,255}'),
    isReal: ({ secret }, certainty) => certainty === 'likely' || secret.length >= 40,
  },
  token('GitHub token', 'github_pat_', '[A-Za-z0-9_]{40,255}'),
  token('GitLab token', [...GITLAB.map((form) => `gl${form}-`), 'GR1348941'], '[A-Za-z0-9_.-]{20,300}'),
  token('Bitbucket app password', 'ATBB', '[A-Za-z0-9]{32,40}'),
  token('Atlassian token', ['ATATT3', 'ATCTT3', 'ATSTT3'], '[A-Za-z0-9_=.-]{40,300}'),
  token('CircleCI token', ['CCIPAT_', 'CCIPRJ_'], '[A-Za-z0-9]{10,40}_[0-9a-f]{40}'),
  token('Buildkite token', ['bkua_', 'bkat_', 'bkct_', 'bkrt_'], '[0-9a-f]{40}'),
  token('SonarQube token', ['squ_', 'sqp_', 'sqa_'], '[0-9a-f]{40}'),
  token('Sourcegraph token', 'sgp_', '(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}'),
  token('Pulumi token', 'pul-', '[0-9a-f]{40}'),
  marked({
    kind: 'Terraform Cloud token',
    marks: ['.atlasv1.'],
    before: '[A-Za-z0-9]{14}',
    rest: '\\.atlasv1\\.[A-Za-z0-9_=-]{50,100}',
  }),
  token('Docker Hub token', ['dckr_pat_', 'dckr_oat_'], '[A-Za-z0-9_-]{20,100}'),
  token('JFrog key', 'AKCp', '[A-Za-z0-9]{60,100}'),
  token('JFrog token', 'cmVmdGtu', '[A-Za-z0-9]{50,100}'),
  token('npm token', 'npm_', '[A-Za-z0-9]{36}'),
  token('PyPI token', 'pypi-AgE', '[A-Za-z0-9_-]{40,300}'),
  token('RubyGems key', 'rubygems_', '[0-9a-f]{48}'),
  token('crates.io token', 'cio', '[A-Za-z0-9]{32}'),
  token('NuGet key', 'oy2', '[a-z0-9]{43}'),
  token('Clojars token', 'CLOJARS_', '[a-z0-9]{60}'),
];
