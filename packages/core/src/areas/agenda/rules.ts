import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { isRecord } from '../../kernel/text/json-value.ts';
import { resolvedOn } from '../decisions/state.ts';
import { AgendaScenario, AgendaTopic } from '../session/events.ts';
import type { SessionState } from '../state.ts';

export const AgendaView = z
  .strictObject({ topics: z.array(AgendaTopic), scenarios: z.array(AgendaScenario) })
  .describe('What the owner wants decided and tested.');
documented.add(AgendaView, { id: 'Agenda' });

/** What is open of an agenda. */
export const AgendaOpen = z
  .strictObject({
    topics: z.array(z.string()).describe('Topics on which no decision is RESOLVED.'),
    scenarios: z.array(z.string()).describe('Ids of scenarios that are no test of the latest revision.'),
  })
  .describe('What of the agenda is neither decided nor in the contract; absent if nothing.');
documented.add(AgendaOpen, { id: 'AgendaOpen' });

/** The agenda and what of it is open, as members of an answer to the owner. Without an agenda, an object without members. */
export function viewAgenda({ profile: { agenda }, decisions, contract: { outline } }: SessionState): {
  agenda?: z.output<typeof AgendaView>;
  agenda_open?: z.output<typeof AgendaOpen>;
} {
  if (!agenda) return {};
  const tests = new Set(outline?.tests.map(({ id }) => id));
  const topics = agenda.topics.map(({ topic }) => topic).filter((topic) => resolvedOn(decisions, topic) === null);
  const scenarios = agenda.scenarios.map(({ id }) => id).filter((id) => !tests.has(id));
  return { agenda, ...(topics.length + scenarios.length > 0 && { agenda_open: { topics, scenarios } }) };
}

/**
 * The tests of a submitted contract. A test with the id of a scenario gets the members of the scenario that it leaves out, and
 * depends on no test if it does not say.
 * The same value if there is nothing to add, also if it is no list of tests.
 */
export function withScenarios(tests: unknown, { profile: { agenda } }: SessionState): unknown {
  if (!agenda || !Array.isArray(tests)) return tests;
  const scenarios = new Map<unknown, object>(
    agenda.scenarios.map((scenario) => [scenario.id, { depends_on: [], ...scenario }]),
  );
  const filled = tests.map((test: unknown) => (isRecord(test) ? withScenario(test, scenarios.get(test.id)) : test));
  return filled.every((test, index) => test === tests[index]) ? tests : filled;
}

const withScenario = (test: Readonly<Record<string, unknown>>, scenario: object = {}): object =>
  Object.keys(scenario).every((member) => Object.hasOwn(test, member)) ? test : { ...scenario, ...test };
