// The program that `parley run --demo` starts for each step in place of a coding agent. It reads the state of the session, asks a
// script on loopback (in place of a model) for the next tool call, and makes that call. It repeats this until the instruction in
// the state is to wait.
const { PARLEY_URL, PARLEY_TOKEN, PARLEY_DEMO_SCRIPT } = process.env;

async function post(url, body, headers = {}) {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.json();
}

async function callTool(name, input) {
  const params = { name, arguments: input };
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  return (await post(`${PARLEY_URL}/api/public/mcp`, request, { authorization: `Bearer ${PARLEY_TOKEN}` })).result;
}

for (;;) {
  const { instruction, phase } = (await callTool('read_session_state', {})).structuredContent;
  if (instruction.tool === null || instruction.tool === 'wait_for_my_turn') break;
  const { id, tool, input } = await post(PARLEY_DEMO_SCRIPT, {});
  if (tool === undefined) continue;
  const { isError = false, structuredContent } = await callTool(tool, input);
  console.log(JSON.stringify({ type: 'call', phase, tool, input, is_error: isError, result: structuredContent }));
  await post(PARLEY_DEMO_SCRIPT, { id, isError, result: structuredContent });
}
