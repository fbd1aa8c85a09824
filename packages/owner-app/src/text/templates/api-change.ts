import type { OwnerInput } from '@parley/core/client';
import { agent, FIRST_TURN } from './template-parts.ts';

/** `agent_a` provides the API, `agent_b` calls it. */
export const API_CHANGE: OwnerInput<'createSession'> = {
  profile: 'light',
  title: 'API change: <method and path>',
  objective:
    'The provider changes <method and path>: <what changes in request, response or errors>. The caller needs it to <what the caller does with it>. Callers outside of this session: <who else calls it, or none>.',
  guardrails: [
    '<if it breaks on purpose, replace this, req-compatible and test-mixed-versions, else delete this> A caller that has not changed keeps working until the removal that the contract dates: no member, status or error code that it reads disappears or changes its meaning, and no new member is demanded of it.',
    'Each service is deployed and rolled back by itself; no step needs both at the same moment.',
    'No production data and no credentials in requests, fixtures and evidence.',
  ],
  requirements: [
    {
      requirement_id: 'req-new',
      text: 'The new behaviour of <method and path> is the agreed one, on both sides.',
      acceptance_criteria: [
        'Each agreed request gets the agreed status and a body that the schema of the contract accepts.',
        'Each agreed error has its status and its code, and the caller does what is agreed on it: repeat, give up or report.',
      ],
    },
    {
      requirement_id: 'req-compatible',
      text: 'Old and new versions of the two services work with each other, in every combination that the rollout passes through.',
      acceptance_criteria: [
        'A recorded request of the present caller gets from the new provider what the present provider answers.',
        'The new caller, against the present provider, does its present work and reports no unexpected error.',
      ],
    },
    {
      requirement_id: 'req-failure',
      text: '<for a GET, delete repeated requests here and in test-repeat, else delete this> Timeouts, repeated requests and refusals do no harm.',
      acceptance_criteria: [
        'A request that is sent twice with the same key or id has the effect of one.',
        'After a timeout the caller repeats only what may be repeated, a bounded number of times, with growing pauses.',
      ],
    },
  ],
  agenda: {
    topics: [
      {
        topic: 'Request, response and permission',
        question:
          'Which members are there, of which type, unit and limits? Which may be null or missing, and what does each of the two mean? Which credential and which permission does the call need?',
      },
      {
        topic: 'Errors, repeats and timeouts',
        question:
          'Which statuses and error codes are there, and what does the caller do on each? How long does it wait, what makes two requests the same one, and what does the provider answer the second time?',
      },
      {
        topic: 'Compatibility and removal',
        question:
          'Is the change additive, or does it need another path or version? Until when do both work, and how is it seen that the last caller has moved?',
      },
      {
        topic: 'Order of the rollout',
        question: 'Which side is deployed first, what does the other side do in between, and how is each step undone?',
      },
    ],
    scenarios: [
      {
        id: 'test-new-call',
        title: 'The new call works from end to end',
        given: 'Both new versions run in the test environment with the agreed fixtures',
        when: 'the caller does <the task of the user or job> and calls <method and path>',
        then: 'the answer has the agreed status and members, and the caller shows or stores what follows from it',
        executor: 'agent_b',
        requirements: ['req-new'],
        evidence_policy: { per_agent_kinds: { agent_a: ['log'], agent_b: ['http_exchange'] }, correlated: true },
      },
      {
        id: 'test-mixed-versions',
        title: 'Each side works with the present version of the other',
        given:
          'The new provider with requests that the present caller has sent, and the new caller with the present provider',
        when: 'the recorded requests are sent, and the new caller does the same task',
        then: 'each answer has every member that the present provider answers, and the new caller does its present work',
        executor: 'agent_b',
        requirements: ['req-compatible'],
        evidence_policy: { per_agent_kinds: { agent_a: ['log'], agent_b: ['http_exchange'] }, correlated: true },
      },
      {
        id: 'test-repeat',
        title: 'A lost answer and a refusal do no harm',
        given: 'The connection breaks before the answer to a request arrives; another request has an invalid member',
        when: 'the caller repeats the first request and sends the other',
        then: 'the work is done once, the refusal has its agreed status and code, and the caller does not repeat it',
        executor: 'agent_a',
        requirements: ['req-new', 'req-failure'],
        evidence_policy: { per_agent_kinds: { agent_a: ['log'], agent_b: ['http_exchange'] }, correlated: true },
      },
    ],
  },
  round_limit: 6,
  ...FIRST_TURN,
  environment: '<the test environment, never production>',
  agents: {
    agent_a: agent('Provider agent', 'provider', '<the providing service>'),
    agent_b: agent('Caller agent', 'caller', '<the calling service>'),
  },
};
