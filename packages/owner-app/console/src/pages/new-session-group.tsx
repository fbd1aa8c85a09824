import { plural } from '@parley/core/text';
import { useState } from 'preact/hooks';
import { call } from '../api/client.ts';
import type { GroupView } from '../api/types.ts';
import { announce } from '../state/announced.ts';
import { Field } from '../ui/controls/field.tsx';
import { Failure } from '../ui/requests/failure.tsx';
import { useAction } from '../ui/requests/use-action.ts';
import { SafeText } from '../ui/text/shown.tsx';
import { type FieldsProps, fieldOf } from './form-parts.ts';
import { requirementLines, type SessionForm } from './new-session-form.ts';

/** The group of the new session, and the requirements of its other sessions to copy. */
export function GroupFields(form: FieldsProps<SessionForm>) {
  const action = useAction();
  const { group } = form.item;
  const [found, setFound] = useState<GroupView['sessions']>([]);
  const look = async (): Promise<void> => {
    setFound([]);
    setFound((await call('group', { name: group })).sessions);
  };
  const copy = async (session_id: string): Promise<void> => {
    const { requirements } = await call('view', { session_id });
    form.onChange({ requirements: requirementLines(requirements) });
    announce(`Copied: ${plural(requirements.length, 'requirement')}`);
  };
  return (
    <section class="card stack" aria-labelledby="group-head">
      <h2 id="group-head">Group</h2>
      <Field
        label="Group"
        hint="Optional. Sessions with the same group name are shown together, for example those of one feature over several repositories. Agents cannot read the name."
        {...fieldOf(form)('group')}
      />
      <div class="buttons">
        <button type="button" disabled={group.trim() === '' || action.isBusy} onClick={() => void action.run(look)}>
          Show its sessions
        </button>
      </div>
      <Failure error={action.error} />
      {found.length > 0 && (
        <div class="buttons">
          {found.map(({ session: { session_id, title } }) => (
            <button
              key={session_id}
              type="button"
              disabled={action.isBusy}
              onClick={() => void action.run(() => copy(session_id))}
            >
              Copy the requirements of <SafeText text={title} />
            </button>
          ))}
        </div>
      )}
    </section>
  );
}
