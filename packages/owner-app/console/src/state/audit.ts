import { batch, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError } from '../api/api-error.ts';
import { call, signIns } from '../api/client.ts';
import type { Audit } from '../api/types.ts';

export type AuditEvent = Audit['events'][number];

const FILTERS = ['person', 'kind', 'session_id', 'from', 'to'] as const;
/** The filter of the audit, as in the query of its address. An empty member does not filter. */
export type AuditFilter = Readonly<Record<(typeof FILTERS)[number], string>>;

export const NO_FILTER: AuditFilter = { person: '', kind: '', session_id: '', from: '', to: '' };

export function filterFrom(query: string): AuditFilter {
  const given = new URLSearchParams(query);
  return { ...NO_FILTER, ...Object.fromEntries(FILTERS.map((member) => [member, given.get(member) ?? ''])) };
}

const setMembers = (filter: AuditFilter): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));

/** Makes the query for a filter: empty, or `?` with the members that are set. */
export function queryOf(filter: AuditFilter): string {
  const text = new URLSearchParams(setMembers(filter)).toString();
  return text === '' ? '' : `?${text}`;
}

/** The events of the pages that were read, newest first. Null before the first page. */
export const auditEvents = signal<readonly AuditEvent[] | null>(null);
export const auditError = signal<ApiError | null>(null);
/** The cursor of the next page. Null if there is no next page. */
export const auditNext = signal<string | null>(null);
/** The kinds of all events that were shown since the page of the console was loaded. */
export const knownKinds = signal<readonly string[]>([]);
/** The names of all people in events that were shown since the page of the console was loaded, by the people's ids. */
export const knownPeople = signal<Readonly<Record<string, string>>>({});

let reads = 0;

/** Reads the first page for a filter when the filter changes, and after a sign-in. */
export function useAudit(filter: AuditFilter): void {
  const query = queryOf(filter);
  const signedIn = signIns.value;
  useEffect(() => {
    batch(() => {
      auditEvents.value = null;
      auditNext.value = null;
    });
    void readPage(filter, null);
  }, [query, signedIn]);
}

/** Reads the next page of the audit, and adds its events to `auditEvents`. */
export const readMore = (filter: AuditFilter): Promise<void> => readPage(filter, auditNext.value);

async function readPage(filter: AuditFilter, after: string | null): Promise<void> {
  const read = ++reads;
  try {
    const page = await call('audit', { ...setMembers(filter), ...(after === null ? {} : { after }) });
    if (read !== reads) return;
    batch(() => {
      auditEvents.value = [...(after === null ? [] : (auditEvents.value ?? [])), ...page.events];
      auditNext.value = page.next_after;
      auditError.value = null;
      knownKinds.value = [...new Set([...knownKinds.value, ...page.events.map(({ kind }) => kind)])].sort();
      const people = page.events.flatMap(({ person }) => (person ? [[person.id, person.name] as const] : []));
      knownPeople.value = { ...Object.fromEntries(people), ...knownPeople.value };
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (read === reads && error.status !== 401) auditError.value = error;
  }
}
