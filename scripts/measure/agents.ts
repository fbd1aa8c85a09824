import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  type AnsweredCall,
  COST_ROLES,
  COSTS_FILE,
  type Costs,
  grownCosts,
  readRecordedCosts,
  runAndCount,
  runLightAndCount,
  sumCosts,
} from './agent-costs.ts';

const { values } = parseArgs({ options: { write: { type: 'boolean' }, tools: { type: 'boolean' } } });
const { first, recorded, light } = readRecordedCosts();
const measured = show('payment-capture with a moderator', await runAndCount(), recorded);
const measuredLight = show('minor-units, a light session', await runLightAndCount(), light);

if (values.write) {
  const { agent_a, agent_b } = measuredLight;
  writeFileSync(COSTS_FILE, `${JSON.stringify({ first, recorded: measured, light: { agent_a, agent_b } }, null, 2)}\n`);
  console.log('scripts/measure/agent-costs.json: written; run pnpm docs:agent-costs');
} else {
  const grown = [...grownCosts(measured, recorded), ...grownCosts(measuredLight, light)];
  for (const line of grown) console.error(`grown by more than 5 %: ${line}`);
  if (grown.length > 0) process.exitCode = 1;
}

/** Prints what the agents of a mission needed, and returns it. */
function show(mission: string, calls: readonly AnsweredCall[], before: Partial<Costs>): Costs {
  const sums = sumCosts(calls);
  console.log(`${mission}:`);
  for (const role of COST_ROLES) {
    const { calls: count, bytes } = sums[role];
    if (count === 0) continue;
    const known = before[role];
    console.log(
      `${role.padEnd(10)}${count} calls, ${bytes} bytes${known ? `; recorded ${known.calls} and ${known.bytes}` : ''}`,
    );
    if (values.tools) printTools(calls.filter((call) => call.role === role));
  }
  return sums;
}

/** Prints for each tool that a role called the number of calls and the total bytes of the results, most bytes first. */
function printTools(own: readonly AnsweredCall[]): void {
  const rows = [...new Set(own.map(({ tool }) => tool))].map((name) => {
    const sizes = own.filter(({ tool }) => tool === name).map(({ bytes }) => bytes);
    return { name, count: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  });
  for (const { name, count, bytes } of rows.toSorted((a, b) => b.bytes - a.bytes))
    console.log(`  ${name.padEnd(28)}${String(count).padStart(4)} calls ${String(bytes).padStart(8)} bytes`);
}
