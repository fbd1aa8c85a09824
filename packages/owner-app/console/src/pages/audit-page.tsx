import '../styles/sessions.css';
import '../styles/audit.css';
import { plural } from '@parley/core/text';
import { batch, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { auditPerson, auditText } from '../../../src/transcript/audit-text.ts';
import { FIRST_PERSON_ID } from '../../../src/transcript/message.ts';
import { ApiError, type Audit, type PeopleList } from '../api/answers.ts';
import { call, loadFile, signIns } from '../api/client.ts';
import { usePageTitle } from '../state/page-title.ts';
import { replaceAddress, search, toAudit, toMessage, toPeople, toSession } from '../state/route.ts';
import { sessions, useSessions } from '../state/sessions.ts';
import { Heads } from '../ui/card.tsx';
import { saveFile } from '../ui/controls/browser.ts';
import { Choice, Field, FilterFold } from '../ui/controls/form.tsx';
import { Failure, useAction, useCall } from '../ui/requests.tsx';
import { Link } from '../ui/text/linked-text.tsx';
import { SafeText, When } from '../ui/text/shown.tsx';
import { agentIn } from './agents.ts';
import { queryFor } from './sessions-filter.ts';

export type AuditEvent = Audit['events'][number];

export const NO_FILTER = { person: '', kind: '', session_id: '', from: '', to: '' };
/** The filter of the audit, as in the query of its address. An empty member does not filter. */
export type AuditFilter = Readonly<typeof NO_FILTER>;

export function filterFrom(query: string): AuditFilter {
  const given = Object.fromEntries(new URLSearchParams(query));
  const { person = '', kind = '', session_id = '', from = '', to = '' } = given;
  return { person, kind, session_id, from, to };
}

/** Makes the query for a filter: empty, or `?` with the members that are set. */
export const queryOf = (filter: AuditFilter): string => queryFor(filter, NO_FILTER);

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
    const asked = Object.fromEntries(new URLSearchParams(queryOf(filter)));
    const page = await call('audit', { ...asked, ...(after === null ? {} : { after }) });
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

/** Saves all events that match the filter as JSON lines, oldest first. */
export function ExportAudit({ filter }: { readonly filter: AuditFilter }) {
  const action = useAction();
  const save = async (): Promise<void> =>
    saveFile('parley-audit.jsonl', await loadFile(`/audit/export${queryOf(filter)}`));
  return (
    <>
      <Failure error={action.error} />
      <button type="button" disabled={action.isBusy} onClick={() => void action.run(save)}>
        Export as JSON lines
      </button>
    </>
  );
}

interface AuditFilterBarProps {
  readonly filter: AuditFilter;
  /** The people who have or had keys. Null if the list could not be read or is not loaded yet. */
  readonly people: PeopleList | null;
  readonly onChange: (part: Partial<AuditFilter>) => void;
}

export function AuditFilterBar({ filter, people, onChange }: AuditFilterBarProps) {
  const count = Object.values(filter).filter((value) => value !== '').length;
  const kinds = new Set([...knownKinds.value, ...(filter.kind === '' ? [] : [filter.kind])]);
  const field = (member: keyof AuditFilter) => ({
    value: filter[member],
    onChange: (value: string) => onChange({ [member]: value.trim() }),
  });
  return (
    <FilterFold label="Filter the audit" class="audit-filter" title="Filter" count={count}>
      <Field label="Session id" {...field('session_id')} />
      <Choice
        label="Person"
        options={[['', 'everybody'], ...peopleOptions(people, filter.person)]}
        {...field('person')}
      />
      <Choice
        label="Kind"
        options={[['', 'every kind'], ...[...kinds].map((kind) => [kind, kindWords(kind)] as const)]}
        {...field('kind')}
      />
      <Field label="From" type="date" {...field('from')} />
      <Field label="Before" type="date" {...field('to')} />
      <button type="button" disabled={count === 0} onClick={() => onChange(NO_FILTER)}>
        Clear
      </button>
    </FilterFold>
  );
}

/** Words for the kind of an event, such as `session started` for `session.started`. */
const kindWords = (kind: string): string => kind.replaceAll(/[._]/g, ' ');

/**
 * Lists the people among whom the user can select: the owner, people who have or had keys, people in the listed events,
 * and the person who is selected now.
 */
function peopleOptions(people: PeopleList | null, chosen: string): readonly (readonly [id: string, name: string])[] {
  const names = new Map<string, string>([[FIRST_PERSON_ID, 'Owner']]);
  for (const { person_id, name } of people?.people ?? []) names.set(person_id, name);
  for (const { person_id, name } of people?.revoked ?? []) names.set(person_id, `${name} (revoked)`);
  for (const [id, name] of Object.entries(knownPeople.value)) if (!names.has(id)) names.set(id, name);
  if (chosen !== '' && !names.has(chosen)) names.set(chosen, chosen);
  return [...names];
}

/** The page that lists what people have done in all sessions, newest first. The filter is part of its address. */
export function AuditPage() {
  usePageTitle('Audit');
  const filter = filterFrom(search.value);
  useAudit(filter);
  useSessions();
  const { value: people } = useCall('listPeople', {}, 0);
  const more = useAction();
  const events = auditEvents.value;
  const change = (part: Partial<AuditFilter>): void => replaceAddress(`${toAudit()}${queryOf({ ...filter, ...part })}`);
  return (
    <div class="stack sessions-page">
      <header class="row page-head">
        <h1>Audit</h1>
        <ExportAudit filter={filter} />
      </header>
      <p class="muted">What people have done in all sessions, newest first. The filter uses days in UTC.</p>
      {events?.some(({ person }) => !person) && (
        <p class="muted">“The application” is a program that called Parley without the name of a person.</p>
      )}
      <Failure error={auditError.value} />
      <AuditFilterBar filter={filter} people={people} onChange={change} />
      <p class="muted" role="status">
        {events === null
          ? auditError.value === null && 'Loading…'
          : `${plural(events.length, 'event')}${auditNext.value === null ? '' : ', and there are more'}`}
      </p>
      {events?.length === 0 && <p class="empty">No event fits the filter.</p>}
      {events !== null && events.length > 0 && (
        <table class="sessions-table audit-table">
          <Heads of={['When', 'Who', 'What', 'Session']} />
          <tbody>
            {events.map((event) => (
              <Row key={`${event.session_id} ${event.seq}`} event={event} />
            ))}
          </tbody>
        </table>
      )}
      {auditNext.value !== null && (
        <button type="button" disabled={more.isBusy} onClick={() => void more.run(() => readMore(filter))}>
          Show more
        </button>
      )}
    </div>
  );
}

function Row({ event }: { readonly event: AuditEvent }) {
  const { at, kind, session_id, title, seq, hash } = event;
  const session = sessions.value?.find((one) => one.session_id === session_id);
  const { heading, text } = auditText(event, session && ((role) => agentIn(session, role)));
  return (
    <tr>
      <td data-label="When">
        <When at={at} withDate />
      </td>
      <th scope="row">
        <SafeText text={auditPerson(event)} />
      </th>
      <td data-label="What" title={`${kind}\n${hash}`}>
        <Link to={session_id === null ? toPeople() : toMessage(session_id, seq)} text={heading} />
        {text && <SafeText in="p" class="audit-text muted" text={text} />}
      </td>
      <td data-label="Session">
        {session_id === null ? 'People' : <Link to={toSession(session_id)} text={title ?? session_id} />}
      </td>
    </tr>
  );
}
