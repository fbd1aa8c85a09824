import { type AgentClient, createMemoryStorage, createParley, type Owner, type Parley, type Role } from '@parley/core';
import { createTestClock, createTestRandom } from '@parley/core/testing';
import { REQUIREMENT } from './contract.ts';
import type { Pen } from './pen.ts';

/** A session in memory. `pen` makes all texts that are written in the session. */
export interface Session {
  readonly parley: Parley;
  readonly owner: Owner;
  readonly sessionId: string;
  readonly agentA: AgentClient;
  readonly agentB: AgentClient;
  readonly moderator: AgentClient;
  readonly pen: Pen;
  /** Fixture version of the mission. Contract, readiness reports and handshakes must contain it. */
  readonly fixtureVersion: string;
}

/** Characters that the name of a group and the place of a source must not have. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

export async function openHostileSession(pen: Pen): Promise<Session> {
  const clock = createTestClock();
  const parley = await createParley({
    storage: createMemoryStorage({ now: clock.now }),
    clock,
    random: createTestRandom(),
  });
  const owner = parley.owner('team');
  const text = (field: string, maxChars = 200) => pen.write('owner', `createSession ${field}`, maxChars);
  const fixtureVersion = text('fixture_version');
  const agent = (role: string) => ({
    name: text(`agents.${role}.name`),
    repository: text(`agents.${role}.repository`),
    service: text(`agents.${role}.service`),
  });
  const { session_id: sessionId } = await owner.createSession({
    title: text('title'),
    objective: text('objective', 2_000),
    guardrails: [text('guardrails[]')],
    environment: text('environment'),
    group: text('group').replace(INVISIBLE, ' '),
    source: { kind: 'markdown', location: text('source.location').replace(INVISIBLE, ' '), sha256: '0'.repeat(64) },
    requirements: [
      {
        requirement_id: REQUIREMENT,
        text: text('requirements[].text'),
        acceptance_criteria: [text('requirements[].acceptance_criteria[]')],
      },
    ],
    agenda: {
      topics: [{ topic: text('agenda.topics[].topic'), question: text('agenda.topics[].question') }],
      scenarios: [
        {
          id: 'scenario-hostile',
          title: text('agenda.scenarios[].title'),
          given: text('agenda.scenarios[].given'),
          when: text('agenda.scenarios[].when'),
          // biome-ignore lint/suspicious/noThenProperty: given, when and then are members of a scenario.
          then: text('agenda.scenarios[].then'),
          requirements: [REQUIREMENT],
          evidence_policy: {
            per_agent_tests: {
              agent_a: [text('agenda.scenarios[].evidence_policy.per_agent_tests.agent_a[]')],
              agent_b: [text('agenda.scenarios[].evidence_policy.per_agent_tests.agent_b[]')],
            },
          },
        },
      ],
    },
    round_limit: 5,
    fixture_version: fixtureVersion,
    agents: { agent_a: agent('agent_a'), agent_b: agent('agent_b') },
  });
  const join = async (role: Exclude<Role, 'owner'>) => {
    const { code } = await owner.invite(sessionId, { role });
    const { token } = await parley.redeem({ code, client_type: pen.write(role, 'redeem_invitation client_type', 100) });
    return parley.agent(token);
  };
  const [agentA, agentB, moderator] = [await join('agent_a'), await join('agent_b'), await join('moderator')];
  await owner.start(sessionId);
  return { parley, owner, sessionId, agentA, agentB, moderator, pen, fixtureVersion };
}

/** Evidence in the form that turns, decisions, findings and questions accept. */
export const evidenceOf = (pen: Pen, author: Role, field: string) => [
  {
    kind: 'file' as const,
    reference: pen.write(author, `${field}[].reference`, 500),
    excerpt: pen.write(author, `${field}[].excerpt`, 600),
  },
];
