import type { Builder, Json } from '@parley/missions';
import { BUILDERS, type Client, callAs, callUntilSaid, rest } from './scene.ts';

/** Until the run stops, proposes decisions and accepts open decisions as both agents. */
export async function decide(client: Client): Promise<void> {
  const { draws, stopping } = client;
  for (let n = 1; !stopping.aborted; n += 1) {
    await rest(draws.whole(1_000, 3_000), stopping);
    await propose(client, draws.oneOf<Builder>(['agent_a', 'agent_b']), `${client.name} topic ${n}`);
    for (const role of BUILDERS) await acceptOpen(client, role);
  }
}

/**
 * Proposes a decision once. A proposal without an answer may be stored or not. It is not repeated, because the call has
 * no idempotency key.
 */
async function propose(client: Client, role: Builder, topic: string): Promise<void> {
  const key = `decision:${topic}`;
  client.session.sent.add(key);
  const outcome = await callAs(client, role, { tool: 'submit_decision', input: { topic, position: 'As it is.' } });
  if (outcome.kind !== 'answered') return;
  client.session.acknowledged.push({ key, by: role, at: outcome.at, answer: JSON.stringify(outcome.body) });
}

async function acceptOpen(client: Client, role: Builder): Promise<void> {
  const listed = await callUntilSaid(client, role, { tool: 'list_decisions' });
  if (listed?.kind !== 'answered') return;
  const all: readonly Json[] = Array.isArray(listed.body.decisions) ? listed.body.decisions : [];
  for (const { decision_id, status, accepted_by } of all) {
    const isOpen = status === 'PROPOSED' && !(Array.isArray(accepted_by) && accepted_by.includes(role));
    if (isOpen) await accept(client, role, String(decision_id));
  }
}

async function accept(client: Client, role: Builder, decisionId: string): Promise<void> {
  const key = `acceptance:${decisionId}:${role}`;
  client.session.sent.add(key);
  const outcome = await callUntilSaid(client, role, { tool: 'accept_decision', input: { decision_id: decisionId } });
  if (outcome?.kind === 'answered')
    client.session.acknowledged.push({ key, by: role, at: outcome.at, answer: decisionId });
  else client.run.unfinished.push(`${key} was not answered with success`);
}
