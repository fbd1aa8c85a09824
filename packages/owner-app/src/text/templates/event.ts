import type { OwnerInput } from '@parley/core/client';
import { agent, FIRST_TURN } from './template-parts.ts';

/** `agent_a` publishes the event, `agent_b` consumes it. */
export const EVENT: OwnerInput<'createSession'> = {
  profile: 'light',
  title: 'Event: <name of the event>',
  objective:
    'The publisher sends <name of the event> when <what has happened>. The consumer then <what the consumer does>. Other consumers: <who else reads it, or none>. Expected volume: <events per second at the peak>.',
  guardrails: [
    'Nobody relies on an event arriving exactly once or in the order of sending, unless a decision says where that comes from.',
    'A consumer that has not changed keeps working: no member that it reads disappears or changes its meaning.',
    'The event contains no personal data beyond <the personal data it may contain, or none>, and no credentials.',
  ],
  requirements: [
    {
      requirement_id: 'req-published',
      text: 'The event is published if and only if its cause has been committed.',
      acceptance_criteria: [
        'A rolled-back transaction publishes nothing.',
        'A crash between the commit and the sending loses no event: it is sent after the restart.',
        'Each event is valid against the schema of the contract and has an id of its own that repeats keep.',
      ],
    },
    {
      requirement_id: 'req-consumed',
      text: 'The effect of an event happens once, whatever the order and the number of deliveries.',
      acceptance_criteria: [
        'An event that is delivered twice has the effect of one.',
        'Two events of one <entity whose events belong together> that arrive in the wrong order lead to the same end as in the right order.',
      ],
    },
    {
      requirement_id: 'req-failure',
      text: 'An event that cannot be processed stops no other event, and somebody learns of it.',
      acceptance_criteria: [
        'After the agreed number of attempts the event is in the place agreed for failed events, with the reason.',
        'A failed event can be processed again after the fault is mended.',
        'A member or a version that the consumer does not know is ignored or put aside as agreed, never guessed.',
      ],
    },
  ],
  agenda: {
    topics: [
      {
        topic: 'Content and schema',
        question:
          'Which members does the event have, of which type and unit? Does it carry the state or only an id to ask for? Which changes of the schema are allowed without a new version, and what does a consumer do with what it does not know?',
      },
      {
        topic: 'Topic, key, order and start',
        question:
          'On which topic or queue is it sent, by which key is it partitioned, and which order may a consumer rely on? From which event on does the consumer read at its first start?',
      },
      {
        topic: 'Delivery and repeats',
        question:
          'How does the publisher tie the sending to its transaction, such as an outbox? By what does the consumer recognise a repeat, also in a replay, and for how long?',
      },
      {
        topic: 'Failed events',
        question: 'How often and with which pauses is an event tried again, where does it go then, and who is told?',
      },
    ],
    scenarios: [
      {
        id: 'test-flow',
        title: 'An event gets from its cause to its effect, through a crash too',
        given: 'Both services run in the test environment, and the consumer has read everything',
        when: '<what has happened> in the publishing service, which is killed after its commit and started again',
        then: 'one valid event is on the topic, and the consumer <what the consumer does>, once',
        executor: 'agent_a',
        requirements: ['req-published', 'req-consumed'],
        evidence_policy: { per_agent_kinds: { agent_a: ['log'], agent_b: ['log'] }, correlated: true },
      },
      {
        id: 'test-repeat',
        title: 'Repeats and a wrong order change nothing',
        given: 'Two events of one entity',
        when: 'the second is delivered first, and each is delivered twice',
        then: 'the consumer ends in the state that the right order gives, and each effect has happened once',
        executor: 'agent_b',
        requirements: ['req-consumed'],
        evidence_policy: { per_agent_kinds: { agent_a: ['log'], agent_b: ['log', 'test_report'] }, correlated: true },
      },
      {
        id: 'test-poison',
        title: 'An event that cannot be processed does not stop the others',
        given: 'An event that breaks the schema, and a valid one behind it on the same partition',
        when: 'the consumer reads both',
        then: 'the first is put aside with its reason and an alert, the second is processed, and after the fault is mended the first can be processed too',
        executor: 'agent_b',
        requirements: ['req-failure'],
        evidence_policy: { per_agent_kinds: { agent_a: ['log'], agent_b: ['log', 'metric'] }, correlated: true },
      },
    ],
  },
  round_limit: 6,
  ...FIRST_TURN,
  environment: '<the test environment, never production>',
  agents: {
    agent_a: agent('Publisher agent', 'publisher', '<the publishing service>'),
    agent_b: agent('Consumer agent', 'consumer', '<the consuming service>'),
  },
};
