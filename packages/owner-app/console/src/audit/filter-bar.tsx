import { FIRST_PERSON_ID } from '../../../src/transcript/message.ts';
import type { PeopleList } from '../api/types.ts';
import { type AuditFilter, knownKinds, knownPeople, NO_FILTER } from '../state/audit.ts';
import { Choice, Field } from '../ui/controls/field.tsx';
import { FilterFold } from '../ui/controls/filter-fold.tsx';

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
      <Field label="Session id" value={filter.session_id} onInput={(value) => onChange({ session_id: value.trim() })} />
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
      <Field label="From" type="date" value={filter.from} onInput={(value) => onChange({ from: value })} />
      <Field label="Before" type="date" value={filter.to} onInput={(value) => onChange({ to: value })} />
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
