import type { Role } from '../kernel/roles.ts';
import { ROUTES } from './route-table.ts';

/**
 * Returns the member `route` of an answer that names `tool`. Empty for a tool without a route, and for an operation of
 * the owner.
 */
export function routeOf(tool: string | null | undefined, role: Role): { readonly route?: string } {
  if (role === 'owner' || typeof tool !== 'string') return {};
  const routes: Readonly<Record<string, string>> = ROUTES[role === 'moderator' ? 'moderator' : 'builder'];
  const route = routes[tool];
  return route === undefined ? {} : { route };
}
