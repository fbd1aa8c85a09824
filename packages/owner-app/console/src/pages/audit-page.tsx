import { plural } from '@parley/core/text';
import { auditPerson, auditText } from '../../../src/transcript/audit-text.ts';
import { FIRST_PERSON_ID } from '../../../src/transcript/message.ts';
import { loadFile } from '../api/client.ts';
import type { PeopleList } from '../api/types.ts';
import { agentIn } from '../inbox/agents.ts';
import {
  type AuditEvent,
  type AuditFilter,
  auditError,
  auditEvents,
  auditNext,
  filterFrom,
  knownKinds,
  knownPeople,
  NO_FILTER,
  queryOf,
  readMore,
  useAudit,
} from '../state/audit.ts';
import { sessions, useSessions } from '../state/overview.ts';
import { usePageTitle } from '../state/page-title.ts';
import { replaceAddress, search, toAudit, toMessage, toPeople, toSession } from '../state/route.ts';
import { Choice, Field } from '../ui/controls/field.tsx';
import { FilterFold } from '../ui/controls/filter-fold.tsx';
import { saveFile } from '../ui/controls/save-file.ts';
import { Failure } from '../ui/requests/failure.tsx';
import { useAction } from '../ui/requests/use-action.ts';
import { useCall } from '../ui/requests/use-read.ts';
import { Link } from '../ui/text/link.tsx';
import { SafeText, When } from '../ui/text/shown.tsx';
import '../styles/sessions.css';
import '../styles/audit.css';

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
