import { visible } from '../../../../src/text/visible.ts';
import type { SessionView } from '../../api/types.ts';
import { roleName } from '../../ui/shown.tsx';

/** The name of a role in this session, with unsafe characters spelled out. */
export const nameIn = ({ agents }: Pick<SessionView, 'agents'>, role: string): string =>
  visible(agents.find((agent) => agent.role === role)?.name ?? roleName(role));
