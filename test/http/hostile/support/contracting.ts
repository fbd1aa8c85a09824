import { seenIn } from '@parley/core/testing';
import { SAFE_NAMES, UNSAFE_NAMES } from '../texts/names.ts';
import { type Json, LINES, MAPPING, mendContract, writeContract } from './contract.ts';
import { evidenceOf, type Session } from './session.ts';
import type { Look } from './story.ts';

/** File names of artifacts: plain names, or a number: the index of the first name to use in a list of hostile names. */
export type Names = 'plain' | number;

/** Plays from the first revision to the approval. Every role objects to a revision in between. */
export async function playContract(session: Session, names: Names, look: Look): Promise<void> {
  const { owner, sessionId, agentA, pen } = session;
  const reason = (tool: string) => pen.write('agent_a', `${tool} reason`);
  const broken = writeContract(pen, { ...session, filenames: filenamesOf(session, names, UNSAFE_NAMES) });
  await agentA.call('submit_contract', {
    contract: brokenOf(session, broken),
    expected_parent_id: '',
    reason: reason('submit_contract'),
  });
  await look('schema broken');
  await agentA.call('propose_revision', {
    contract: broken,
    expected_parent_id: 'r_1',
    reason: reason('propose_revision'),
  });
  await look('rules broken');
  const written = writeContract(pen, { ...session, filenames: filenamesOf(session, names, SAFE_NAMES) });
  const contract = await mendContract(agentA, written, (pointer) => substitute(session, pointer));
  await agentA.call('submit_position', { contract, expected_parent_id: 'r_2', reason: reason('submit_position') });
  await map(session);
  await object(session);
  await look('objections');
  await settle(session);
  await owner.requestChanges(sessionId, {
    reason: pen.write('owner', 'requestChanges reason'),
    seen: await seenIn(owner, sessionId),
  });
  await look('changes requested');
  const value = await substituteFor(session, contract);
  await agentA.call('patch_contract', {
    expected_parent_id: 'r_3',
    reason: reason('patch_contract'),
    ops: [{ op: 'replace', path: '/rollout/rollback', value }],
  });
  await map(session);
  await approve(session);
}

/** Adds unknown members at three depths. Their names contain a space. */
function brokenOf({ pen }: Session, contract: Json): Json {
  const name = (maxChars = 56) => `the ${pen.write('agent_a', 'contract unknown member', maxChars)}`;
  return {
    ...contract,
    [name()]: 1,
    rollout: { ...Object(contract.rollout), [name()]: [], steps: 7 },
    data_models: [{ id: 'model', name: 'Model', json_schema: {}, [name(500)]: {} }],
  };
}

function filenamesOf({ pen }: Session, names: Names, list: readonly string[]): [string, string] {
  const name = (at: number) => {
    const hostile = names === 'plain' ? 'x' : (list[(names + at) % list.length] ?? 'x');
    return pen
      .write('agent_a', 'contract artifacts[].filename', 100)
      .replace(/^[\s\S]*(zz\d{4}zz)[\s\S]*$/, (_, mark) => named(hostile, mark));
  };
  return [name(0), name(1)];
}

/** Inserts the mark by which tests find the name, before the extension. The name begins and ends as before. */
const named = (name: string, mark: string): string => {
  const at = Math.max(1, name.length - 4);
  return `${name.slice(0, at)}${mark}${name.slice(at)}`;
};

/**
 * Writes the next hostile text for a field whose text was invalid, for example because the text looked like a
 * placeholder.
 */
function substitute({ pen }: Session, pointer: string): string {
  const field = `contract ${fieldAt(pointer)}`;
  const isLine = /\/(?:consumers\/1|operations\/0\/(?:response|errors\/0))$/.test(pointer);
  const text = isLine ? pen.writeLine('agent_a', field) : pen.write('agent_a', field);
  if (pointer.endsWith('/consumers/1')) return `external:${text}`;
  return pointer.endsWith('/operations/1/request') ? `${LINES}${text}` : text;
}

const fieldAt = (pointer: string): string =>
  pointer
    .slice(1)
    .replaceAll(/\/\d+(?=\/|$)/g, '[]')
    .replaceAll('/', '.');

async function substituteFor(session: Session, contract: Json): Promise<string> {
  const rollback = session.pen.write('agent_a', 'patch_contract ops[].value');
  const changed = { ...contract, rollout: { ...Object(contract.rollout), rollback } };
  const mended = await mendContract(session.agentA, changed, () =>
    session.pen.write('agent_a', 'patch_contract ops[].value'),
  );
  return String(Object(mended.rollout).rollback);
}

const map = ({ agentA, pen }: Session): Promise<unknown> =>
  agentA.call('submit_preflight', {
    mappings: [{ ...MAPPING, note: pen.write('agent_a', 'submit_preflight mappings[].note') }],
  });

async function object({ owner, sessionId, agentA, agentB, moderator, pen }: Session): Promise<void> {
  await agentB.call('submit_finding', {
    text: pen.write('agent_b', 'submit_finding text'),
    target: pen.write('agent_b', 'submit_finding target', 500),
    evidence: evidenceOf(pen, 'agent_b', 'submit_finding evidence'),
  });
  await agentA.call('respond_finding', {
    ...{ finding_id: 'f_1', decision: 'REJECT' },
    response: pen.write('agent_a', 'respond_finding response'),
  });
  await moderator.call('submit_moderator_finding', {
    category: 'SAFETY',
    text: pen.write('moderator', 'submit_moderator_finding text'),
    resolution_criteria: pen.write('moderator', 'submit_moderator_finding resolution_criteria'),
    target: pen.write('moderator', 'submit_moderator_finding target', 500),
    evidence: evidenceOf(pen, 'moderator', 'submit_moderator_finding evidence'),
    request_hold: true,
    hold_reason: pen.write('moderator', 'submit_moderator_finding hold_reason'),
  });
  await moderator.call('request_hold', { finding_id: 'f_1', reason: pen.write('moderator', 'request_hold reason') });
  const { content_hash } = await agentA.call('get_final_plan', {});
  const named = { revision_id: 'r_3', content_hash: String(content_hash), verdict: 'REQUEST_CHANGES' as const };
  await agentB.call('submit_final_review', {
    ...named,
    caveats: [pen.write('agent_b', 'submit_final_review caveats[]')],
  });
  await moderator.call('submit_contract_review', {
    ...named,
    summary: pen.write('moderator', 'submit_contract_review summary'),
    dimensions: [
      {
        name: pen.write('moderator', 'submit_contract_review dimensions[].name', 100),
        score: 1,
        note: pen.write('moderator', 'submit_contract_review dimensions[].note'),
      },
    ],
  });
  await moderator.call('recommend_to_owner', {
    recommendation: 'REJECT',
    text: pen.write('moderator', 'recommend_to_owner text'),
  });
  await agentA.call('revalidate_contract', {});
  await owner.respondRecommendation(sessionId, {
    ...{ recommendation_id: 'rec_1', decision: 'REJECT' },
    note: pen.write('owner', 'respondRecommendation note'),
  });
}

async function settle({ owner, sessionId, agentA, agentB, pen }: Session): Promise<void> {
  await agentA.call('respond_finding', {
    ...{ finding_id: 'f_2', decision: 'ACCEPT' },
    response: pen.write('agent_a', 'respond_finding response'),
  });
  await owner.overrideFinding(sessionId, {
    finding_id: 'f_2',
    reason: pen.write('owner', 'overrideFinding reason'),
    seen: await seenIn(owner, sessionId),
  });
  await owner.releaseHold(sessionId, {
    hold_id: 'h_2',
    reason: pen.write('owner', 'releaseHold reason'),
    seen: await seenIn(owner, sessionId),
  });
  await owner.overrideReview(sessionId, {
    role: 'moderator',
    reason: pen.write('owner', 'overrideReview reason'),
    seen: await seenIn(owner, sessionId),
  });
  await agentB.call('resolve_finding', {
    ...{ finding_id: 'f_1', outcome: 'RESOLVED' },
    note: pen.write('agent_b', 'resolve_finding note'),
  });
}

async function approve({ owner, sessionId, agentA, agentB, pen }: Session): Promise<void> {
  const { content_hash } = await agentA.call('get_final_plan', {});
  const named = { revision_id: 'r_4', content_hash: String(content_hash) };
  for (const [author, agent] of [
    ['agent_a', agentA],
    ['agent_b', agentB],
  ] as const)
    await agent.call('submit_final_review', {
      ...named,
      verdict: 'APPROVE',
      caveats: [pen.write(author, 'submit_final_review caveats[]')],
    });
  await owner.approveContract(sessionId, { ...named, seen: await seenIn(owner, sessionId) });
}
