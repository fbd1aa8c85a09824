import { createMemoryStorage, createParley, type Owner } from '@parley/core';
import { type CallByName, type CallTool, runMission, type Transport } from '@parley/missions';
import { openApiDocument, ownerApiDocument } from '@parley/owner-app';
import { expect, onTestFinished, test } from 'vitest';
import { readDescription } from '../http/wire/support/described.ts';
import { loadStory, STORIES } from './support/stories.ts';

const AGENTS = readDescription(openApiDocument({ version: '1.0.0' }));
const OWNER = readDescription(ownerApiDocument({ version: '1.0.0' }));

const READS = {
  builder: [
    ...['read_session_state', 'list_decisions', 'list_blockers', 'get_final_plan', 'get_preflight', 'list_findings'],
    ...[
      'list_artifacts',
      'get_readiness_questions',
      'verify_board',
      'verify_next',
      'list_interventions',
      'poll_actions',
    ],
  ],
  moderator: ['get_moderator_status', 'get_session_events', 'get_moderator_questions', 'get_contract_review'],
  owner: ['view', 'plan', 'board', 'blockers', 'transcript'],
};

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

test.each(STORIES)('all that is answered in %s is described by the OpenAPI documents', async (name) => {
  const storage = createMemoryStorage();
  const parley = await createParley({ storage });
  onTestFinished(() => parley.close());
  const owner: Owner = parley.owner('team');
  const faults = new Set<string>();
  let answers = 0;
  const hear = (fault: string | undefined): void => {
    answers += 1;
    if (fault !== undefined) faults.add(fault);
  };
  const faces: { readonly kind: 'builder' | 'moderator'; readonly call: CallByName }[] = [];
  const stage: Transport = {
    owner: {
      createSession: async (input: Parameters<Owner['createSession']>[0]) => {
        const created = await owner.createSession(input);
        hear(OWNER.undescribedResult('create_session', created));
        return created;
      },
      call: async (operation, sessionId, input) => {
        const answer = await owner.call(operation, sessionId, input);
        hear(OWNER.undescribedResult(`owner_${kebab(operation)}`, answer));
        return answer;
      },
    },
    agents: async ({ role, code }) => {
      const pass = await parley.redeem({ code });
      hear(AGENTS.undescribedResult('redeem_invitation', pass));
      const agent = parley.agent(pass.token).call as CallTool;
      const kind = role === 'moderator' ? 'moderator' : 'builder';
      const call: CallByName = async (tool, input) => {
        const answer = await agent(tool, input);
        hear(AGENTS.undescribedResult(idOf(tool, kind), answer));
        return answer;
      };
      faces.push({ kind, call });
      return call;
    },
  };
  await runMission(await loadStory(name), stage, async ({ sessionId, index }) => {
    if (index % 5 !== 0) return;
    for (const { kind, call } of faces) for (const tool of READS[kind]) await call(tool, {});
    for (const operation of READS.owner) await stage.owner.call(operation, sessionId, {});
    hear(OWNER.undescribedResult('overview', await owner.overview()));
    hear(OWNER.undescribedResult('inbox', await owner.inbox()));
    hear(OWNER.undescribedResult('session_verify_log', await owner.verifyLog(sessionId)));
  });
  expect([...faults]).toEqual([]);
  expect(answers).toBeGreaterThan(180);
});

/**
 * The operation id of a tool in the OpenAPI document. `wait_for_my_turn` has the same route as `read_session_state`. If
 * a tool has a separate route for each role, its ids contain the role.
 */
function idOf(tool: string, kind: string): string {
  if (tool === 'wait_for_my_turn') return 'read_session_state';
  return tool === 'resolve_finding' || tool === 'complete_action' ? `${kind}_${tool}` : tool;
}
