import { NoInput } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { BoardView, boardSeqs, viewBoard } from './board.ts';

/** Spec 4.2 and 4.3. Empty while no manifest is frozen. */
export const verifyBoard = defineOperation({
  name: 'verify_board',
  summary:
    'Read the test board: scenarios, handshakes, attempts, evidence of both, defects, your next actions, checks.',
  rest: 'GET verify/board',
  access: { builder: 'verify_read', moderator: true },
  input: NoInput,
  output: BoardView,
  errors: [],

  reads: boardSeqs,
  reply: (state, _input, { caller, loaded }) => viewBoard(state, caller.role, loaded),
});
