import type { OwnerInput } from '@parley/core/client';
import { agent, FIRST_TURN } from './template-parts.ts';

/** `agent_a` builds the user interface, `agent_b` the service behind it. */
export const FRONTEND_BACKEND: OwnerInput<'createSession'> = {
  profile: 'light',
  title: 'Feature: <what the user can do>',
  objective:
    'A user with <role of the user> can <what the user can do> on <page or screen>. It is needed because <why it is needed>. Not part of this: <what is left for later>.',
  guardrails: [
    'The service checks every permission and every input itself; the user interface only makes them visible.',
    'Users without the feature, and pages that were loaded before the deployment, keep working.',
    'No text of a user is shown as markup, and no personal data gets into logs or addresses.',
  ],
  requirements: [
    {
      requirement_id: 'req-feature',
      text: 'The user can <what the user can do>, and finds it as left after a reload.',
      acceptance_criteria: [
        'From the page to the stored record and back, each value is the one that the user entered: text with accents and emoji, numbers, money, dates and time zones.',
        'With the keyboard alone and at a width of 390 px it can be done too, and fields and errors have names that a screen reader says.',
      ],
    },
    {
      requirement_id: 'req-states',
      text: 'Waiting, nothing, much and failure each have a state that the user understands.',
      acceptance_criteria: [
        'Each error of the service becomes a sentence that says what to do; an error of a field stands beside the field, and what was entered is kept.',
        'An empty list, a list of many pages and a slow answer have the agreed look, and a second click does nothing a second time.',
      ],
    },
    {
      requirement_id: 'req-permission',
      text: 'Only those who may, can do and see it.',
      acceptance_criteria: [
        'A request that the user interface would not send, sent by hand without the permission or for the record of another user, is refused and stores nothing.',
        'The answer of the service contains no member that the user must not see.',
      ],
    },
  ],
  agenda: {
    topics: [
      {
        topic: 'Requests of the page',
        question:
          'Which calls does the page make, with which request and response? What is read at once and what on demand? Which side sorts, filters, pages and formats?',
      },
      {
        topic: 'Validation and errors',
        question:
          'Which rules hold for each field, and where do they stand so that both sides have the same? Which error code does each fault have, and how does it name its field?',
      },
      {
        topic: 'Permissions and simultaneous changes',
        question:
          'Who may see and do what, and how does the page know it? What happens when two people, or two tabs, change the same record, and when a request is sent twice?',
      },
      {
        topic: 'Switching on and measures',
        question:
          'Is there a feature flag, in which order are the two deployed, and what does an old page do with a new service? By what is it seen that the feature is used and that it fails?',
      },
    ],
    scenarios: [
      {
        id: 'test-whole-way',
        title: 'The user does it and finds it again',
        given: 'A signed-in user with the role and the agreed fixtures',
        when: 'the user does it on the page and reloads the page',
        then: 'the service has stored what was entered, and the page shows it unchanged',
        executor: 'agent_a',
        requirements: ['req-feature'],
        evidence_policy: {
          per_agent_kinds: { agent_a: ['screenshot', 'http_exchange'], agent_b: ['log'] },
          correlated: true,
        },
      },
      {
        id: 'test-refused-input',
        title: 'Invalid input and a failing service are explained, and nothing is lost',
        given:
          'The form with one invalid field, which the page lets through; then a service that answers late, and with 503',
        when: 'the user sends it, and clicks twice',
        then: 'each failure is a sentence at its place, everything entered is still there, and the record exists once at most',
        executor: 'agent_a',
        requirements: ['req-states'],
        evidence_policy: {
          per_agent_kinds: { agent_a: ['screenshot', 'http_exchange'], agent_b: ['log'] },
          correlated: true,
        },
      },
      {
        id: 'test-forbidden',
        title: 'A request by hand does not get further than the page',
        given: 'A user without the permission, and a user whose record it is not',
        when: 'each sends the request of the page by hand',
        then: 'the service refuses both as agreed, stores nothing and tells nothing about the record',
        executor: 'agent_b',
        requirements: ['req-permission'],
        evidence_policy: { per_agent_kinds: { agent_a: ['http_exchange'], agent_b: ['log'] }, correlated: true },
      },
    ],
  },
  round_limit: 6,
  ...FIRST_TURN,
  environment: '<the test environment, never production>',
  agents: {
    agent_a: agent('Frontend agent', 'frontend', '<the user interface>'),
    agent_b: agent('Backend agent', 'backend', '<the service behind it>'),
  },
};
