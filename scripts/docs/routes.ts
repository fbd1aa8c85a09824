import { describeOperations, ownerRoutes } from '@parley/core';

export const file = 'packages/core/src/areas/route-table.ts';

/** The tools that wait have no route of their own: over REST, a read waits. */
const WAITS = {
  builder: ['wait_for_my_turn', 'GET state?wait=25'],
  moderator: ['wait_for_activity', 'GET events?wait=25'],
};

/** A module that contains the routes, so that a client, also one in a browser, need not load the definitions of the operations. */
export function render(): string {
  const { agents } = describeOperations();
  const routesOf = (role: 'builder' | 'moderator'): string[][] => [
    ...agents.flatMap(({ name, routes }) =>
      routes.filter(({ by }) => by === role || by === 'anyone').map(({ method, path }) => [name, `${method} ${path}`]),
    ),
    WAITS[role],
  ];
  const owners = ownerRoutes()
    .filter(({ of, method }) => of !== 'session' || method === 'GET')
    .filter(({ call }, index, all) => all.findIndex((other) => other.call === call) === index)
    .map(({ call, method, path }) => [call, `${method} ${path}`]);
  return `/** Generated from the registries by \`pnpm docs:routes\`. */

/** REST routes of the tools: \`METHOD path\`. A path is below \`/sessions/{id}/\`, unless it begins with a slash. */
export const ROUTES = {
  builder: {
${rows(routesOf('builder'), '    ')}
  },
  moderator: {
${rows(routesOf('moderator'), '    ')}
  },
} as const;

/** Routes of the owner's API. The other operations have \`POST /sessions/{session_id}/<name-in-kebab-case>\`. */
export const OWNER_ROUTES = {
${rows(owners, '  ')}
} as const;
`;
}

const rows = (routes: readonly (readonly string[])[], indent: string): string =>
  routes.map(([name, route]) => `${indent}${name}: '${route}',`).join('\n');
