import { openApiDocument, ownerApiDocument } from '@parley/owner-app';
import { test } from 'vitest';
import { domain } from '../../packages/core/src/areas/domain.ts';
import {
  entries,
  isPersistentList,
  isPersistentMap,
} from '../../packages/core/src/kernel/log/persistent-collections.ts';
import { digestsOf, folded, readLogs } from '../scenarios/support/golden-logs.ts';
import { rpc } from '../support/requests.ts';
import { sendMcp } from './support/calls.ts';
import { printedBy } from './support/command-lines.ts';
import { expectFrozen } from './support/frozen.ts';
import { stockMoment } from './support/moments.ts';
import { openStage } from './support/stage.ts';

test('the OpenAPI documents, the lists of tools and the completions of shells are what is recorded', async () => {
  const stage = await openStage();
  const moment = await stockMoment('planned');
  await stage.show(moment);
  const tools: Record<string, unknown> = {};
  for (const [role, token] of Object.entries(moment.tokens))
    tools[role] = (await sendMcp(stage, token, rpc('tools/list'))).json;
  const completions: Record<string, unknown> = {};
  for (const shell of ['bash', 'zsh', 'fish']) completions[shell] = await printedBy(stage, ['completion', shell]);
  await stage.close();
  const [agents, owner] = [openApiDocument({ version: '1.0.0' }), ownerApiDocument({ version: '1.0.0' })];
  await expectFrozen('documents', { agents, owner, tools, completions }, 'compressed');
});

test('the stored logs fold into what is recorded', async () => {
  const logs = await readLogs();
  const states: Record<string, unknown> = {};
  for (const [name, events] of logs)
    if (name.startsWith(`${domain.foldVersion}-`)) states[name] = plain(folded(events));
  await expectFrozen('fold', { ...(await digestsOf(logs)), states }, 'compressed');
});

/** A state as plain JSON. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isPersistentList(value)) return value.items.slice(0, value.length).map(plain);
  if (isPersistentMap(value)) return Object.fromEntries([...entries(value)].map(([name, item]) => [name, plain(item)]));
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
