import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { COST_ROLES, COSTS_FILE, grownCosts, readRecordedCosts, runAndCount, sumCosts } from './agent-costs.ts';

const { values } = parseArgs({ options: { write: { type: 'boolean' }, tools: { type: 'boolean' } } });
const calls = await runAndCount();
const measured = sumCosts(calls);
const { first, recorded } = readRecordedCosts();

for (const role of COST_ROLES) {
  const { calls: count, bytes } = measured[role];
  console.log(
    `${role.padEnd(10)}${count} calls, ${bytes} bytes; recorded ${recorded[role].calls} and ${recorded[role].bytes}`,
  );
  if (values.tools) printTools(role);
}

if (values.write) {
  writeFileSync(COSTS_FILE, `${JSON.stringify({ first, recorded: measured }, null, 2)}\n`);
  console.log('scripts/measure/agent-costs.json: written; run pnpm docs:agent-costs');
} else {
  const grown = grownCosts(measured, recorded);
  for (const line of grown) console.error(`grown by more than 5 %: ${line}`);
  if (grown.length > 0) process.exitCode = 1;
}

/** Prints for each tool that a role called the number of calls and the total bytes of the results, most bytes first. */
function printTools(role: string): void {
  const own = calls.filter((call) => call.role === role);
  const rows = [...new Set(own.map(({ tool }) => tool))].map((name) => {
    const sizes = own.filter(({ tool }) => tool === name).map(({ bytes }) => bytes);
    return { name, count: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  });
  for (const { name, count, bytes } of rows.toSorted((a, b) => b.bytes - a.bytes))
    console.log(`  ${name.padEnd(28)}${String(count).padStart(4)} calls ${String(bytes).padStart(8)} bytes`);
}
