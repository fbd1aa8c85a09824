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
import { saveFile } from '../ui/controls/browser.ts';
import { Choice, Field, FilterFold } from '../ui/controls/form.tsx';
import { Failure, useAction, useCall } from '../ui/requests.tsx';
import { Link } from '../ui/text/linked-text.tsx';
import { SafeText, When } from '../ui/text/shown.tsx';
import { agentIn } from './agents.ts';

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
  return (
    <FilterFold label="Filter the audit" class="audit-filter" title="Filter" count={count}>
      <Field
        label="Session id"
        value={filter.session_id}
        onChange={(value) => onChange({ session_id: value.trim() })}
      />
      <Choice
        label="Person"
        value={filter.person}
        options={[['', 'everybody'], ...peopleOptions(people, filter.person)]}
        onChange={(value) => onChange({ person: value })}
      />
      <Choice
        label="Kind"
        value={filter.kind}
        options={[['', 'every kind'], ...[...kinds].map((kind) => [kind, kindWords(kind)] as const)]}
        onChange={(value) => onChange({ kind: value })}
      />
      <Field label="From" type="date" value={filter.from} onChange={(value) => onChange({ from: value })} />
      <Field label="Before" type="date" value={filter.to} onChange={(value) => onChange({ to: value })} />
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
    <div class="sessions-page">
      <header class="page-head">
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
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Who</th>
              <th scope="col">What</th>
              <th scope="col">Session</th>
            </tr>
          </thead>
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
        {session_id === null ? (
          <Link to={toPeople()}>
            <SafeText text={heading} />
          </Link>
        ) : (
          <Link to={toMessage(session_id, seq)}>
            <SafeText text={heading} />
          </Link>
        )}
        {text && (
          <p class="audit-text muted">
            <SafeText text={text} />
          </p>
        )}
      </td>
      <td data-label="Session">
        {session_id === null ? (
          'People'
        ) : (
          <Link to={toSession(session_id)}>
            <SafeText text={title ?? session_id} />
          </Link>
        )}
      </td>
    </tr>
  );
}
