import { useSignal } from '@preact/signals';
import { visibleLine } from '../../../src/text/visible.ts';
import { FIRST_PERSON_ID } from '../../../src/transcript/message.ts';
import { call } from '../api/client.ts';
import type { AccountList, AddedPerson, PeopleList } from '../api/types.ts';
import { me } from '../state/me.ts';
import { Dialog } from '../ui/controls/dialog.tsx';
import { Choice, Field } from '../ui/controls/field.tsx';
import { Failure } from '../ui/requests/failure.tsx';
import { useAction } from '../ui/requests/use-action.ts';
import { Copyable } from '../ui/text/copyable.tsx';

export type GivenRole = PeopleList['people'][number]['role'];

const ROLE_NAMES = {
  viewer: 'Viewer: reads everything',
  operator: 'Operator: also writes',
  approver: 'Approver: also approves and authorizes',
} satisfies Readonly<Record<GivenRole, string>>;

/**
 * Lists the roles that the signed-in person can give to others. Only the holder of the owner key can make a person an
 * approver.
 */
export const rolesToGive = (): readonly (readonly [GivenRole, string])[] =>
  (Object.entries(ROLE_NAMES) as [GivenRole, string][]).filter(
    ([role]) => role !== 'approver' || me.value?.id === FIRST_PERSON_ID,
  );

interface AddPersonProps {
  readonly accounts: AccountList['accounts'];
  readonly onAdded: (added: AddedPerson) => void;
}

export function AddPerson({ accounts, onAdded }: AddPersonProps) {
  const open = accounts.filter(({ closed_at }) => closed_at === null);
  const account = useSignal<string | undefined>(undefined);
  const name = useSignal('');
  const role = useSignal<GivenRole>('viewer');
  const action = useAction();
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    await action.run(async () => {
      const added = await call('addPerson', {
        name: name.value,
        role: role.value,
        account_id: account.value,
      });
      name.value = '';
      onAdded(added);
    });
  };
  return (
    <form class="card stack" onSubmit={(event) => void add(event)}>
      <h2>Add a person</h2>
      <Failure error={action.error} />
      <Field
        label="Name"
        value={name.value}
        required
        onInput={(text) => {
          name.value = text;
        }}
      />
      <Choice
        label="Role"
        value={role.value}
        options={rolesToGive()}
        onChange={(next) => {
          role.value = next;
        }}
      />
      {open.length > 1 && (
        <Choice
          label="Account"
          value={account.value ?? open[0]?.account_id ?? ''}
          options={open.map(({ account_id, name }) => [account_id, visibleLine(name)])}
          onChange={(next) => {
            account.value = next;
          }}
        />
      )}
      <div class="buttons">
        <button type="submit" class="primary" disabled={action.isBusy || name.value.trim() === ''}>
          Add
        </button>
      </div>
    </form>
  );
}

/** Shows the key of a new person. The key can be seen only in this dialog: no later answer contains it. */
export function KeyDialog({ added, onClose }: { readonly added: AddedPerson; readonly onClose: () => void }) {
  return (
    <Dialog title={`The key of ${added.person.name}`} onClose={onClose}>
      <div class="stack">
        <p>
          This key is shown once. Give it only to this person, who can then sign in to the console and use the command
          line.
        </p>
        <Copyable label="Key" text={added.key} />
        <footer class="buttons">
          <button type="button" class="primary" onClick={onClose}>
            I have passed the key on
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
