// Replaces a coding agent: acknowledges interventions and posts turns while the instruction names one of these calls.
// Then prints a JSON line as real clients do. Mode `held`: waits first until the file `go` exists. Mode `lazy`: only
// reads the state. Mode `cheap`: also prints a cost that would lower the sum.
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , folder, mode, prompt] = process.argv;
const { PARLEY_URL, PARLEY_TOKEN } = process.env;
appendFileSync(`${folder}/prompts.jsonl`, `${JSON.stringify(prompt)}\n`);
while (mode === 'held' && !existsSync(`${folder}/go`)) await sleep(20);

async function call(name, input = {}) {
  const response = await fetch(`${PARLEY_URL}/api/public/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${PARLEY_TOKEN}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  });
  return JSON.parse(await response.text()).result.structuredContent;
}

for (let state = await call('read_session_state'); mode !== 'lazy'; state = await call('read_session_state')) {
  if (state.instruction.tool === 'ack_intervention')
    await call('ack_intervention', { intervention_id: state.open_interventions[0].intervention_id });
  else if (state.instruction.tool === 'post_turn')
    await call('post_turn', { summary: `Turn ${state.turn_index}.`, next_step: 'Go on.' });
  else break;
}
console.log(JSON.stringify({ type: 'result', total_cost_usd: 0.25 }));
if (mode === 'cheap') console.log('{"type":"result","total_cost_usd":-1e999}');
