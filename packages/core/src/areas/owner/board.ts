import { defineOperation } from '../operation.ts';
import { BoardInput, boardSeqs, FullBoardView, isFull, viewBoard } from '../verify/board.ts';

/** The test board, as both agents see it. */
export const board = defineOperation({
  name: 'board',
  summary:
    'Read the test board: scenarios, handshakes, attempts, evidence of both agents, defects and checks; with a scenario the full evidence.',
  access: { owner: true },
  input: BoardInput,
  output: FullBoardView,
  errors: ['UNKNOWN_RECORD'],

  reads: boardSeqs,
  reply(state, input, { caller: { role }, loaded }) {
    const { scenarios, ...rest } = viewBoard(state, { tool: 'board', input, role, loaded });
    return { ...rest, scenarios: scenarios.filter(isFull) };
  },
});
