import { OWNER_ROUTES } from './areas/route-table.ts';

const ROUTES: Readonly<Record<string, string>> = OWNER_ROUTES;

/** Converts `extendRounds` to `extend-rounds`, the form of routes and commands. */
export const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The route of a call of the owner: `METHOD path`, such as `POST /sessions/{session_id}/pause`. */
export const ownerRoute = (name: string): string => ROUTES[name] ?? `POST /sessions/{session_id}/${kebabCase(name)}`;
