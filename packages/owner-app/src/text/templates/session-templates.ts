import type { OwnerInput } from '@parley/core/client';

/** The file that a person edits before the session is created. */
export interface SessionTemplate {
  readonly template: string;
  readonly for: string;
  readonly session: OwnerInput<'createSession'>;
}

/** The templates: the name of each, what it is for, and how it is loaded. */
export const TEMPLATES = [
  {
    name: 'api-change',
    for: 'A service changes an HTTP API that another service calls.',
    load: async () => (await import('./api-change.ts')).API_CHANGE,
  },
  {
    name: 'event',
    for: 'A service publishes an event, or changes one, that another service consumes.',
    load: async () => (await import('./event.ts')).EVENT,
  },
  {
    name: 'db-migration',
    for: 'The schema of a database changes while two services use it.',
    load: async () => (await import('./db-migration.ts')).DB_MIGRATION,
  },
  {
    name: 'frontend-backend',
    for: 'A feature is built in a user interface and in the service behind it.',
    load: async () => (await import('./frontend-backend.ts')).FRONTEND_BACKEND,
  },
  {
    name: 'library-upgrade',
    for: 'A library has a release that breaks, and a service moves to it.',
    load: async () => (await import('./library-upgrade.ts')).LIBRARY_UPGRADE,
  },
] as const;

/** Loads the template with this name. Undefined if there is none. */
export async function sessionTemplate(name: string): Promise<SessionTemplate | undefined> {
  const found = TEMPLATES.find((one) => one.name === name);
  return found && { template: found.name, for: found.for, session: await found.load() };
}
