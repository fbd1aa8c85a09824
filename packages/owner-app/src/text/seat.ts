/** The id of a session in an answer, for a file name, a path or a command. */
export const SESSION_ID = /^\w{1,64}$/;

/** An invitation code, in an answer or as the user gives it. */
export const INVITATION_CODE = /^pinv_\w+$/;

/** The roles of agents in an answer. */
export const AGENT_ROLES = ['agent_a', 'agent_b', 'moderator'] as const;
