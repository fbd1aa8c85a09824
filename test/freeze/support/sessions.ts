import { agentRoutes, ownerRoutes, type Route, readAll, toolsFor, writeAll } from './calls.ts';
import { printedBy, readingLines, writingLines } from './command-lines.ts';
import { type Known, knownIn } from './inputs.ts';
import type { Moment } from './moments.ts';
import type { Stage } from './stage.ts';

const agents = agentRoutes();
const owners = ownerRoutes();
/** Routes that give back the stored log, which is read when a session has ended. */
const LOG = /\/(?:events|log|audit)/;
const views = owners.filter(({ name }) => !LOG.test(name));
const STRANGER = `prt_${'x'.repeat(71)}`;

/** What a session answers to reads at a moment: to each agent over REST and MCP, and to the owner. */
export async function readsAt(stage: Stage, moment: Moment): Promise<Record<string, object>> {
  await stage.show(moment);
  const known = knownIn(moment);
  const answers: Record<string, object> = {};
  for (const [role, token] of Object.entries(moment.tokens)) {
    answers[role] = await readAll(stage, token, agents, known);
    answers[`${role} over MCP`] = await readAll(stage, token, await toolsFor(stage, token), known);
  }
  const read = moment.name === 'ENDED' ? owners : views;
  return { ...answers, owner: await readAll(stage, stage.keys.owner, read, known) };
}

/** What a session answers to each write at a moment, to each agent over REST and to the owner. */
export async function writesAt(stage: Stage, moment: Moment): Promise<Record<string, object>> {
  await stage.show(moment);
  const known = knownIn(moment);
  const answers: Record<string, object> = {};
  for (const [role, token] of Object.entries(moment.tokens))
    answers[role] = await writeAll(stage, token, agents, known);
  return { ...answers, owner: await writeAll(stage, stage.keys.owner, owners, known) };
}

/** What a session answers to each write over MCP. */
export async function toolWritesAt(stage: Stage, moment: Moment): Promise<Record<string, object>> {
  await stage.show(moment);
  const answers: Record<string, object> = {};
  for (const [role, token] of Object.entries(moment.tokens))
    answers[role] = await writeAll(stage, token, await toolsFor(stage, token), knownIn(moment));
  return answers;
}

/** What a session answers to those with fewer rights: to the people beside the owner, and to a stranger. */
export async function refusalsAt(stage: Stage, moment: Moment): Promise<Record<string, object>> {
  await stage.show(moment);
  const answers: Record<string, object> = {};
  for (const role of ['approver', 'viewer'] as const)
    answers[role] = await callAll(stage, stage.keys[role], owners, knownIn(moment));
  return { ...answers, stranger: await callAll(stage, STRANGER, [...agents, ...owners], new Map()) };
}

const callAll = async (stage: Stage, token: string, routes: readonly Route[], known: Known): Promise<object> => ({
  ...(await readAll(stage, token, routes, known)),
  ...(await writeAll(stage, token, routes, known)),
});

/** The plain answers to the reads, for a log of an earlier version. */
export async function plainReadsAt(stage: Stage, moment: Moment): Promise<Record<string, object>> {
  await stage.show(moment);
  const answers: Record<string, object> = {};
  for (const [role, token] of Object.entries(moment.tokens))
    answers[role] = await readAll(stage, token, agents, new Map());
  return { ...answers, owner: await readAll(stage, stage.keys.owner, views, new Map()) };
}

/** What every command of the owner prints at a moment. */
export async function printedAt(stage: Stage, moment: Moment): Promise<Record<string, object>> {
  await stage.show(moment);
  const known = knownIn(moment);
  const printed: Record<string, object> = {};
  for (const line of await readingLines(known)) printed[line.join(' ')] = await printedBy(stage, line);
  if (moment.name === 'ENDED') printed['watch SESSION --full'] = await printedBy(stage, ['watch', 'SESSION', '--full']);
  for (const line of await writingLines(known)) {
    printed[line.join(' ')] = await printedBy(stage, line);
    await stage.restore();
  }
  return printed;
}
