import type { OwnerInput } from '@parley/core/client';
import { isRecord } from '@parley/core/json';

/** The file that a person edits before the session is created. */
interface SessionTemplate {
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

/** A member in which words of a template were left, such as `requirements[0].text`. */
interface LeftWords {
  readonly path: string;
  /** The words in their angle brackets, each once. */
  readonly words: string;
}

/** Matches two words or more in angle brackets, such as `<the calling service>`. Generics follow a name, and tags are one word. */
const PLACEHOLDER = /(?<!\w)<[\p{L}\d',.-]{1,40}(?: [\p{L}\d',.-]{1,40}){1,12}>/gu;
/** Matches what is meant as it stands. */
const CODE = /`[^`]*`/g;

/** A session has no value deeper than this. */
const MAX_DEPTH = 10;

/** The members of a session in which words of a template were left, in their order. Texts in backticks do not count. */
export function placeholdersIn(value: unknown, path = '', depth = 0): LeftWords[] {
  if (typeof value === 'string') {
    const found = new Set(value.replace(CODE, '').match(PLACEHOLDER));
    return found.size > 0 ? [{ path, words: [...found].join(', ') }] : [];
  }
  if (depth === MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item, at) => placeholdersIn(item, `${path}[${at}]`, depth + 1));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    placeholdersIn(member, path === '' ? name : `${path}.${name}`, depth + 1),
  );
}
