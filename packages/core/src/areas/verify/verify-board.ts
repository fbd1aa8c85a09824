import { isBuilder } from '../../kernel/roles.ts';
import { defineOperation } from '../operation.ts';
import { callsDue } from '../tasks/due.ts';
import { BoardInput, BoardView, boardSeqs, viewBoard } from './board/board.ts';

/** Spec 4.2 and 4.3. If no manifest is frozen, the lists of the board are empty. */
export const verifyBoard = defineOperation({
  name: 'verify_board',
  summary: 'Read the test board, or one scenario in full by scenario_id.',
  rest: 'GET verify/board',
  access: { builder: 'verify_read', moderator: true },
  input: BoardInput,
  output: BoardView,
  errors: ['UNKNOWN_RECORD'],

  reads: boardSeqs,
  reply: (state, input, { caller: { role }, loaded }) =>
    viewBoard(state, {
      tool: 'verify_board',
      input,
      role,
      loaded,
      due: isBuilder(role) ? callsDue(state, role) : [],
    }),
});
