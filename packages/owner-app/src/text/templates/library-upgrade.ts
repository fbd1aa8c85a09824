import type { OwnerInput } from '@parley/core/client';
import { agent, FIRST_TURN } from './template-parts.ts';

/** `agent_a` releases the library, `agent_b` moves a service to the release. */
export const LIBRARY_UPGRADE: OwnerInput<'createSession'> = {
  profile: 'light',
  title: 'Upgrade: <library and new version>',
  objective:
    'The library <library and new version> breaks with <the present version>: <what breaks>. The service moves to it, because <why it is needed>. Other users of the library: <who else uses it, or none>.',
  guardrails: [
    'What the service does for its users does not change, except <what may change, or nothing>.',
    'The service can go back to the present version with one deployment; data that the new version writes stays readable for the present one.',
    'The library supports the present version with security fixes until <the end of support>.',
  ],
  requirements: [
    {
      requirement_id: 'req-release',
      text: 'The release contains what the service needs, and says how to move to it.',
      acceptance_criteria: [
        'Each breaking change is in the changelog, with the code before and after it.',
        'What the release removes was marked as deprecated in the present version, or a decision says why not.',
        'The package installs on <the runtimes of the service>, and brings no dependency with a licence or a known vulnerability that a decision does not allow.',
      ],
    },
    {
      requirement_id: 'req-moved',
      text: 'The service runs on the release, and nothing uses the present version any more.',
      acceptance_criteria: [
        'The lock file contains exactly one version of the library, the new one.',
        'No call of a removed or deprecated function is left: compiler, linter and a search over the sources agree.',
        'All tests of the service pass without changed expectations, except those that a decision names.',
      ],
    },
    {
      requirement_id: 'req-behaviour',
      text: 'Where the library behaves differently without an error, the difference is known and wanted.',
      acceptance_criteria: [
        'Defaults, rounding, order, encoding, time zones, timeouts and retries are compared between the two versions with inputs of the service.',
        'Start time, memory and the 99th percentile of <the measured operation> are at most <percent it may get worse> percent worse.',
      ],
    },
  ],
  agenda: {
    topics: [
      {
        topic: 'Breaking changes and silent differences',
        question:
          'Which changes of the release touch the service, with an error or without: defaults, order, encoding, timeouts? For each: does the library soften it, or does the service change?',
      },
      {
        topic: 'Way of moving',
        question:
          'At once, or step by step with both versions or an adapter? Are code transformations provided, and can a release candidate be tried before the release?',
      },
      {
        topic: 'Stored data and going back',
        question:
          'Does the release change what is stored, cached, queued or sent to others? What tells that the service must go back, and what must the present version then be able to read?',
      },
      {
        topic: 'Support',
        question:
          'How long does the present version get fixes, which runtimes does the new one need, and who answers questions of the other users?',
      },
    ],
    scenarios: [
      {
        id: 'test-candidate',
        title: 'The release candidate works where the service runs',
        given: 'The release candidate, built as it will be published',
        when: 'it is installed on each runtime of the service, and the tests of the library run there',
        then: 'it installs without a warning, all tests pass, and each breaking change is in the changelog',
        executor: 'agent_a',
        requirements: ['req-release'],
        evidence_policy: { per_agent_kinds: { agent_a: ['test_report'], agent_b: ['log'] }, correlated: false },
      },
      {
        id: 'test-suite',
        title: 'The service passes its tests on the release, and can go back',
        given: 'The service with the release candidate in its lock file',
        when: 'all tests of the service run, and then the present version is deployed again',
        then: 'all pass, without changed expectations except those that a decision names, and the present version reads what was written',
        executor: 'agent_b',
        requirements: ['req-moved'],
        evidence_policy: { per_agent_kinds: { agent_a: ['manual'], agent_b: ['test_report'] }, correlated: false },
      },
      {
        id: 'test-same-behaviour',
        title: 'Both versions give the same answers, and the new one is not slower than agreed',
        given: 'Inputs of the service, recorded without personal data, with the extreme ones among them',
        when: 'they go through the present and through the new version',
        then: 'the answers are equal, except where a decision names the difference, and time and memory are within the agreed bounds',
        executor: 'agent_b',
        requirements: ['req-behaviour'],
        evidence_policy: { per_agent_kinds: { agent_a: ['test_report'], agent_b: ['test_report'] }, correlated: false },
      },
    ],
  },
  round_limit: 6,
  ...FIRST_TURN,
  environment: '<the test environment, never production>',
  agents: {
    agent_a: agent('Library agent', 'library', '<the library>'),
    agent_b: agent('Service agent', 'service', '<the service that uses it>'),
  },
};
