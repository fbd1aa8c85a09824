import { useSignal } from '@preact/signals';
import { visibleLine } from '../../../src/text/visible.ts';
import { FIRST_PERSON_ID } from '../../../src/transcript/message.ts';
import { call } from '../api/client.ts';
import type { AddedPerson, PeopleList } from '../api/types.ts';
import { announce } from '../state/announced.ts';
import { hasRole, me } from '../state/me.ts';
import { ConfirmButton } from '../ui/controls/confirm-button.tsx';
import { Choice } from '../ui/controls/field.tsx';
import { Failure } from '../ui/requests/failure.tsx';
import { useAction } from '../ui/requests/use-action.ts';
import { useCall } from '../ui/requests/use-read.ts';
import { Badge, SafeText, When } from '../ui/text/shown.tsx';
import '../styles/people.css';
import { AccountsPanel } from './accounts-panel.tsx';
import { AddPerson, type GivenRole, KeyDialog, rolesToGive } from './add-person.tsx';
import { leave } from './leave.ts';
import { type Leaver, LeftBehindPanel } from './left-behind.tsx';

type Listed = PeopleList['people'][number];

/**
 * The page that lists the people who may sign in. An approver adds people, changes their roles, revokes and readmits
 * them here.
 */
export function PeoplePage() {
  const version = useSignal(0);
  const added = useSignal<AddedPerson | null>(null);
  const leaver = useSignal<Leaver | null>(null);
  const { value, error } = useCall('listPeople', {}, version.value);
  const { value: accounts } = useCall('listAccounts', {}, version.value);
  const names = new Map((accounts?.accounts ?? []).map(({ account_id, name }) => [account_id, name]));
  const changed = (what: string): void => {
    version.value += 1;
    announce(`${what}.`);
  };
  const showLeaver = (next: Leaver | null): void => {
    leaver.value = next;
  };
  const canChange = hasRole('approver');
  const hasNoPeople = error?.code === 'NOT_FOUND';
  return (
    <div class="stack people-page">
      <header class="page-head">
        <h1>People</h1>
      </header>
      <p class="muted">
        Each person has a role, and a key or a company account. The events of a session name the person who made them.{' '}
        {!canChange && 'To change people, you need the role approver.'}
      </p>
      {hasNoPeople ? (
        <p class="card">
          {error.message} {error.hint}
        </p>
      ) : (
        <Failure error={error} />
      )}
      {leaver.value && <LeftBehindPanel leaver={leaver.value} onClose={() => showLeaver(null)} />}
      {value === null && !error && <p class="waiting">Loading…</p>}
      {value?.people.length === 0 && <p class="empty">Nobody can sign in besides the holder of the owner key.</p>}
      {value && value.people.length > 0 && (
        <ul class="access card">
          {value.people.map((person) => (
            <PersonItem
              key={person.person_id}
              person={person}
              account={names.size > 1 ? names.get(person.account_id) : undefined}
              canChange={canChange}
              onChange={changed}
              onLeave={showLeaver}
            />
          ))}
        </ul>
      )}
      {canChange && !hasNoPeople && (
        <AddPerson
          accounts={accounts?.accounts ?? []}
          onAdded={(result) => {
            added.value = result;
            changed(`${result.person.name} is added`);
          }}
        />
      )}
      {value && value.revoked.length > 0 && <Revoked people={value.revoked} canChange={canChange} onChange={changed} />}
      {accounts && me.value?.id === FIRST_PERSON_ID && (
        <AccountsPanel accounts={accounts.accounts} onChange={changed} onLeave={showLeaver} />
      )}
      {added.value && (
        <KeyDialog
          added={added.value}
          onClose={() => {
            added.value = null;
          }}
        />
      )}
    </div>
  );
}

interface PersonItemProps {
  readonly person: Listed;
  /** Name of the person's account. Undefined if the page shows the people of one account only. */
  readonly account: string | undefined;
  readonly canChange: boolean;
  readonly onChange: (what: string) => void;
  readonly onLeave: (leaver: Leaver) => void;
}

function PersonItem({ person, account, canChange, onChange, onLeave }: PersonItemProps) {
  const { person_id, name, role, key_prefix, subject, added_at, added_by, last_used_at } = person;
  const what = subject === null ? 'the key of ' : '';
  const action = useAction();
  const giving = (next: GivenRole) => (end_access?: true) =>
    call('setPersonRole', { person_id, role: next, end_access });
  const setRole = async (next: GivenRole): Promise<void> => {
    if (await action.run(() => leave(name, giving(next), onLeave))) onChange(`${name} has the role ${next} now`);
  };
  const showLeft = (): Promise<void> => leave(name, giving(role), (leaver) => onLeave({ ...leaver, wasAsked: true }));
  const revoke = async (): Promise<void> => {
    await leave(name, (end_access) => call('revokePerson', { person_id, end_access }), onLeave);
    onChange(`${name} is revoked`);
  };
  return (
    <li>
      <p>
        <strong>
          <SafeText text={name} />
        </strong>{' '}
        <Badge tone={role === 'approver' ? 'live' : 'plain'}>{role}</Badge>{' '}
        {account !== undefined && <Badge>{visibleLine(account)}</Badge>}{' '}
        {key_prefix !== null && <code>{key_prefix}…</code>}
      </p>
      {subject !== null && (
        <p class="muted">
          Company account <SafeText text={subject} />
        </p>
      )}
      <p class="muted">
        {subject === null ? (
          <>
            Added <When at={added_at} /> by <SafeText text={added_by?.name ?? 'the application'} />
          </>
        ) : (
          <>
            First sign-in <When at={added_at} />
          </>
        )}
        ;{' '}
        {last_used_at ? (
          <>
            last used <When at={last_used_at} />
          </>
        ) : (
          'not used since the server started'
        )}
      </p>
      <Failure error={action.error} />
      {canChange && (
        <div class="person-controls">
          {subject === null && (role !== 'approver' || me.value?.id === FIRST_PERSON_ID) && (
            <Choice
              label={`Role of ${name}`}
              value={role}
              options={rolesToGive()}
              onChange={(next) => void setRole(next)}
            />
          )}
          {subject !== null && role !== 'approver' && (
            <button type="button" onClick={() => void action.run(showLeft)}>
              What is left behind…
            </button>
          )}
          <ConfirmButton
            label={subject === null ? 'Revoke the key…' : 'Revoke…'}
            question={`Revoke ${what}${name}? Every sign-in of ${name} ends. This cannot be undone.`}
            yes="Yes, revoke it"
            needs="approver"
            isDangerous
            onConfirm={revoke}
          />
        </div>
      )}
    </li>
  );
}

interface RevokedProps {
  readonly people: PeopleList['revoked'];
  readonly canChange: boolean;
  readonly onChange: (what: string) => void;
}

function Revoked({ people, canChange, onChange }: RevokedProps) {
  const readmit = async (id: string, name: string): Promise<void> => {
    await call('readmitPerson', { person_id: id });
    onChange(`${name} may sign in again`);
  };
  return (
    <details class="card">
      <summary>{people.length} revoked</summary>
      <ul>
        {people.map(({ person_id, name, subject, readmitted, revoked_at, revoked_by }) => (
          <li key={person_id}>
            <SafeText text={name} />, <When at={revoked_at} /> by{' '}
            <SafeText text={revoked_by?.name ?? 'the application'} />
            {readmitted && '; may sign in again'}
            {canChange && subject !== null && !readmitted && (
              <ConfirmButton
                label="Readmit…"
                question={`Let the company account of ${name} sign in again? Its groups decide the role.`}
                yes="Yes, readmit"
                onConfirm={() => readmit(person_id, name)}
              />
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
