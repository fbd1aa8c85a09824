/** The text that a person gives to an agent that was just connected. It names the tools that the agent calls. */
export const TELL_AGENT =
  'Call read_task first, then the tool that the instruction of read_session_state names, until the session is ENDED.';

/**
 * The lines that say what to tell a connected agent, and how the agent waits.
 *
 * @param program the command line of this program, which works in every folder
 */
export const tellAgentLines = (program: string): string[] => [
  'Tell the agent:',
  '',
  `  ${TELL_AGENT}`,
  '',
  'docs/connect.md has a longer prompt to paste. When there is nothing to do, an agent with a shell runs:',
  '',
  `  ${program} wait`,
];
