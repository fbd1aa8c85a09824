/** The 15 scopes of a builder token (specification 5.8). No tool needs the scope ask_agent. */
export const SCOPES = [
  'read_task',
  'read_session_state',
  'read_messages',
  'post_turn',
  'post_evidence',
  'answer_question',
  'get_final_plan',
  'get_contract_schema',
  'elect_contract_author',
  'submit_contract',
  'submit_position',
  'submit_final_review',
  'verify_read',
  'verify_execute',
  'ask_agent',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Permissions that an owner can grant to a moderator (specification 4.3). */
export const PERMISSIONS = ['ask', 'find', 'hold', 'review', 'recommend'] as const;
export type Permission = (typeof PERMISSIONS)[number];
