import { visible } from '../../../../src/text/visible.ts';
import type { SessionView } from '../../api/types.ts';
import { actorName } from '../../ui/text/shown.tsx';

/** Returns the name of a role in this session. Makes unsafe characters of the name visible. */
export const nameIn = ({ agents }: Pick<SessionView, 'agents'>, role: string): string =>
  visible(agents.find((agent) => agent.role === role)?.name ?? actorName(role));
