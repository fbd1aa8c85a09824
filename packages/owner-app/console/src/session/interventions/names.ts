import { visible } from '../../../../src/text/visible.ts';
import type { SessionView } from '../../api/types.ts';
import { roleName } from '../../ui/shown.tsx';

/** How a role is called in this session, as it may be shown. */
export const nameIn = ({ agents }: Pick<SessionView, 'agents'>, role: string): string =>
  visible(agents.find((agent) => agent.role === role)?.name ?? roleName(role));
