import { visible } from '../../../../src/text/visible.ts';
import type { SessionView } from '../../api/types.ts';
import { actorName } from '../../ui/text/shown.tsx';

/** The name of a role in this session. Unsafe characters in the name are made visible. */
export const nameIn = ({ agents }: Pick<SessionView, 'agents'>, role: string): string =>
  visible(agents.find((agent) => agent.role === role)?.name ?? actorName(role));
