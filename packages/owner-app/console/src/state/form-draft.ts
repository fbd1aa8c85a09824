import { type DraftPlace, draftAt, keepDraft } from '../api/drafts.ts';

/**
 * The values of a form, which are stored as a draft. When `value` changes, each component that has read it is rendered
 * again.
 */
export interface FormDraft<T> {
  value: T;
}

/**
 * Stores all fields of a form as one draft.
 *
 * @param initial the values of an empty form; these are not stored
 */
export function formDraft<T extends object>(place: DraftPlace, initial: T): FormDraft<T> {
  return {
    get value() {
      return { ...initial, ...parsed<T>(draftAt(place)) };
    },
    set value(next: T) {
      const text = JSON.stringify(next);
      keepDraft(place, text === JSON.stringify(initial) ? '' : text);
    },
  };
}

function parsed<T>(text: string): Partial<T> {
  try {
    return Object(JSON.parse(text || '{}'));
  } catch {
    return {};
  }
}
