import { plural } from '@parley/core/text';
import { auditPerson, auditText } from '../../../src/transcript/audit-text.ts';
import { ExportAudit } from '../audit/export-audit.tsx';
import { AuditFilterBar } from '../audit/filter-bar.tsx';
import { agentIn } from '../inbox/agents.ts';
import {
  type AuditEvent,
  type AuditFilter,
  auditError,
  auditEvents,
  auditNext,
  filterFrom,
  queryOf,
  readMore,
  useAudit,
} from '../state/audit.ts';
import { sessions, useSessions } from '../state/overview.ts';
import { usePageTitle } from '../state/page-title.ts';
import { replaceAddress, search, toAudit, toMessage, toPeople, toSession } from '../state/route.ts';
import { Failure } from '../ui/requests/failure.tsx';
import { useAction } from '../ui/requests/use-action.ts';
import { useCall } from '../ui/requests/use-read.ts';
import { Link } from '../ui/text/link.tsx';
import { SafeText, When } from '../ui/text/shown.tsx';
import '../styles/sessions.css';
import '../styles/audit.css';

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
