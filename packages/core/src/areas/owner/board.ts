import { NoInput } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { BoardView, boardSeqs, viewBoard } from '../verify/board.ts';

/** The board that both agents see. */
export const board = defineOperation({
  name: 'board',
  summary: 'Read the test board: scenarios, handshakes, attempts, evidence of both agents, defects and checks.',
  access: { owner: true },
  input: NoInput,
  output: BoardView,
  errors: [],

  reads: boardSeqs,
  reply: (state, _input, { caller, loaded }) => viewBoard(state, caller.role, loaded),
});
