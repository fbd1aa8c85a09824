import { board as ownersBoard } from '../../src/areas/owner/verify.ts';
import { instructionFor } from '../../src/areas/session/rules.ts';
import { WholeBoardView } from '../../src/areas/verify/board.ts';
import { verifyBoard, verifyNext } from '../../src/areas/verify/operations.ts';
import { seen as overviewOf } from '../model/seen.ts';
import { look, type World } from '../model/world.ts';
import type { Builder } from './build.ts';

/** The verification views of a world. A view is read when it is first used. */
export function seen(world: World) {
  const once = <T>(read: () => T): (() => T) => {
    let kept: { value: T } | undefined;
    return () => {
      kept ??= { value: read() };
      return kept.value;
    };
  };
  const board = once(() => WholeBoardView.parse(look(world, verifyBoard, 'agent_a', {})));
  const items = {
    agent_a: once(() => board().next_actions),
    agent_b: once(() => look(world, verifyNext, 'agent_b', {}).items),
  };
  return {
    /** Views that exist in every phase. */
    overview: overviewOf(world),
    board,
    /** The owner's board. It shows all members of passed scenarios, but an agent's board does not. */
    fullBoard: once(() => look(world, ownersBoard, 'owner', {})),
    items: (builder: Builder) => items[builder](),
    status: world.state.profile.status,
    instruction: (role: Builder | 'owner') => instructionFor(world.state, role),
  };
}

export type Seen = ReturnType<typeof seen>;
export type Item = ReturnType<Seen['items']>[number];
