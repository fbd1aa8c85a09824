/** Measures what the guard guards and prints it as JSON: each measurement is a process of its own, with new code. */
import type { Measured } from './figures.ts';
import { measureMemory } from './memory.ts';
import { measureCosts } from './rounds.ts';
import { measureStart } from './start.ts';

const costs = await measureCosts();
const measured: Measured = { ...costs, ...measureStart(), session: await measureMemory() };
process.stdout.write(JSON.stringify(measured), () => process.exit());
