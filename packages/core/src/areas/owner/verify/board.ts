import { z } from 'zod';
import { documented } from '../../../kernel/operation/documented.ts';
import { ApprovalsView, viewAllApprovals } from '../../approvals/schemas.ts';
import { At, BuilderRole, LogHead } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import type { SessionState } from '../../state.ts';
import { owesOf } from '../../tasks/owed.ts';
import { BoardInput, boardSeqs, isFull, viewWholeBoard, WholeBoardView } from '../../verify/board/board.ts';
import { scenarioOf } from '../../verify/scenarios/scenarios.ts';
import { type FullScenario, FullScenarioView } from '../../verify/schemas.ts';
import { AgentOnBoard, agentsOnBoard } from './agents-on-board.ts';

const OwedView = z
  .strictObject({
    role: BuilderRole,
    what: z.string().describe('What the builder must give, such as "the verdict".'),
    since: At,
  })
  .register(documented, { id: 'Owed' });

const ScenarioOfOwner = z.strictObject({
  ...FullScenarioView.shape,
  owes: z.array(OwedView).describe('What each builder has to do before the scenario can pass.'),
});

const FullBoardView = z.strictObject({
  ...WholeBoardView.shape,
  head: LogHead,
  agents: z.array(AgentOnBoard),
  approvals: z.array(ApprovalsView).describe('Who approved the contract and authorized each step.'),
  scenarios: z.array(ScenarioOfOwner),
});
documented.add(FullBoardView, { id: 'FullBoard' });

/** Shows the test board that both agents see, and what each builder must do next for each scenario. */
export const board = defineOperation({
  name: 'board',
  summary:
    'Read the test board: scenarios with the tasks of each builder, handshakes, attempts, evidence of both agents, defects and checks. With scenario_id, read the full evidence of one scenario.',
  access: { owner: true },
  input: BoardInput,
  output: FullBoardView,
  errors: ['UNKNOWN_RECORD'],

  reads: boardSeqs,
  reply(state, input, { caller: { role }, loaded }) {
    const { scenarios, ...rest } = viewWholeBoard(state, { tool: 'board', input, role, loaded });
    return {
      ...rest,
      head: { ...state.head },
      agents: agentsOnBoard(state),
      approvals: viewAllApprovals(state),
      scenarios: scenarios.filter(isFull).map((one) => withOwes(state, one)),
    };
  },
});

const withOwes = (state: SessionState, scenario: FullScenario): z.output<typeof ScenarioOfOwner> => ({
  ...scenario,
  owes: owesOf(state, scenarioOf(state, scenario.scenario_id)).map((owed) => ({ ...owed })),
});
