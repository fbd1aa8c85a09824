import type { OwnerInput } from '@parley/core/client';
import { agent, FIRST_TURN } from './template-parts.ts';

/** `agent_a` owns the schema and its migrations, `agent_b` is the other service that reads or writes the same tables. */
export const DB_MIGRATION: OwnerInput<'createSession'> = {
  profile: 'full',
  title: 'Migration: <table and what changes>',
  objective:
    'The tables <names of the tables> change from <the present form> to <the new form>, because <why it is needed>. Both services use them. Size: <rows and bytes today>; writes: <writes per second at the peak>. The change is made in steps of expand, backfill, switch and contract, while both services run.',
  guardrails: [
    'No committed row is lost or changed in its meaning.',
    'Neither service is stopped for the migration; no statement holds a lock that blocks writes longer than <seconds a write may wait>.',
    'Old columns and tables are removed only in the last step, after nothing has read or written them for <days to wait before the removal>.',
    'The migration is rehearsed on a copy of the size of production, without personal data, and never first on production.',
  ],
  requirements: [
    {
      requirement_id: 'req-online',
      text: 'Both services serve reads and writes through every step.',
      acceptance_criteria: [
        'Under the load of the rehearsal no request fails because of the migration, and the slowest write waits no longer than the agreed bound.',
        'Each statement that changes the schema gives up by itself when it does not get its lock in time.',
      ],
    },
    {
      requirement_id: 'req-versions',
      text: 'At each step the present and the next version of each service work on the same schema.',
      acceptance_criteria: [
        'A row that one version writes is read with the same meaning by the other version.',
        'A write of the present version during the backfill is in the new form afterwards.',
      ],
    },
    {
      requirement_id: 'req-backfill',
      text: 'The backfill can be stopped, resumed and repeated, and ends with the agreed data.',
      acceptance_criteria: [
        'Killed at any moment and started again, it leaves every row converted once.',
        'It works in batches that keep the replication lag below the agreed bound, and reports its progress.',
        'Rows that cannot be converted are counted and listed; none is dropped silently.',
      ],
    },
    {
      requirement_id: 'req-equal',
      text: 'Before the switch it is shown that the old and the new form say the same.',
      acceptance_criteria: [
        'A comparison of all rows finds no difference, or only those that a decision allows.',
        'The comparison runs again after the switch, while both forms are still written.',
      ],
    },
    {
      requirement_id: 'req-rollback',
      text: 'Each step before the removal can be undone without loss of data that was written after it.',
      acceptance_criteria: [
        'Rolled back after the switch, the services read what was written in the new form meanwhile.',
        'The step after which there is no way back is named, and it needs the authorization of the owner.',
      ],
    },
  ],
  agenda: {
    topics: [
      {
        topic: 'New form and mapping',
        question:
          'What are the new columns, types, constraints and indexes? How is each old value converted, including null, empty, duplicate and invalid ones?',
      },
      {
        topic: 'Steps and versions',
        question:
          'Which migrations and which releases of the two services are there, in which order? What does each version read and write at each step?',
      },
      {
        topic: 'Double writing',
        question:
          'Who writes both forms during the transition: a trigger, one service or both? Which form is the truth until the switch?',
      },
      {
        topic: 'Backfill',
        question:
          'In which order and in which batches does it run, at which load does it slow down, and how does it remember where it was?',
      },
      {
        topic: 'Locks and indexes',
        question:
          'Which lock does each statement take, and for how long? Which indexes are built concurrently and which constraints are validated afterwards? What are lock_timeout and statement_timeout?',
      },
      {
        topic: 'Other readers',
        question:
          'Who else reads these tables: reports, replicas, change capture, exports, support? What does each need before the removal?',
      },
      {
        topic: 'Switch, way back and removal',
        question:
          'What must be measured before the switch, by what is it done, how is it undone? When are the old columns removed, and from which backup would they come back?',
      },
    ],
    scenarios: [
      {
        id: 'test-expand',
        title: 'The schema is expanded under load',
        given: 'A copy of the size of production, and both present versions under the agreed load',
        when: 'the expanding migration runs',
        then: 'no request fails, the slowest write stays within the bound, and both present versions work on',
        executor: 'agent_a',
        requirements: ['req-online', 'req-versions'],
        evidence_policy: { per_agent_kinds: { agent_a: ['log', 'metric'], agent_b: ['metric'] }, correlated: false },
      },
      {
        id: 'test-mixed-versions',
        title: 'Present and next versions share the tables',
        given: 'The expanded schema, with both versions of both services running',
        when: 'each version writes a row of every kind, and the others read and change it',
        then: 'all read the same meaning, and both forms of each row agree',
        executor: 'agent_b',
        requirements: ['req-versions'],
        evidence_policy: { per_agent_kinds: { agent_a: ['test_report'], agent_b: ['test_report'] }, correlated: false },
      },
      {
        id: 'test-backfill-killed',
        title: 'A killed backfill loses and repeats nothing',
        given: 'The backfill is half done, and rows are written meanwhile',
        when: 'it is killed and started again',
        then: 'every row is converted once, rows written meanwhile keep their newer values, and the counts of converted and refused rows add up',
        executor: 'agent_a',
        requirements: ['req-backfill'],
        evidence_policy: { per_agent_kinds: { agent_a: ['log', 'test_report'], agent_b: ['log'] }, correlated: false },
      },
      {
        id: 'test-compare',
        title: 'Old and new form say the same',
        given: 'The backfill has ended, and both services write',
        when: 'the comparison runs over all rows',
        then: 'it finds no difference that no decision allows',
        executor: 'agent_b',
        requirements: ['req-equal'],
        evidence_policy: { per_agent_kinds: { agent_a: ['log'], agent_b: ['log'] }, correlated: false },
      },
      {
        id: 'test-way-back',
        title: 'The switch is undone without loss',
        given: 'Both services read the new form, and rows have been written since the switch',
        when: 'the switch is undone as the contract says',
        then: 'both services read all of these rows in the old form, and the way forward still works',
        executor: 'agent_a',
        requirements: ['req-rollback'],
        evidence_policy: { per_agent_kinds: { agent_a: ['log'], agent_b: ['log'] }, correlated: false },
      },
    ],
  },
  round_limit: 10,
  ...FIRST_TURN,
  environment: '<the rehearsal environment, never production>',
  agents: {
    agent_a: agent('Schema agent', 'schema', '<the service that owns the schema>'),
    agent_b: agent('Second service agent', 'second', '<the second service on the tables>'),
  },
};
