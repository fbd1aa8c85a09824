import { z } from 'zod';

/** The id of a session in an answer, for a file name, a path or a command. */
export const SessionId = z.string().regex(/^\w{1,64}$/);

/** The role of an agent in an answer. */
export const AgentRole = z.enum(['agent_a', 'agent_b', 'moderator']);
