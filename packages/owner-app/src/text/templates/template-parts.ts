/* What the templates have in common. */

export const FIRST_TURN = { first_turn: 'agent_a', fixture_version: 'fixtures-1' } as const;

/** An agent whose repository and service the owner names. */
export const agent = (name: string, repository: string, service: string) => ({
  name,
  repository: `<owner and name of the ${repository} repository>`,
  service,
});
