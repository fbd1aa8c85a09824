import { signal } from '@preact/signals';

/** The text of the page element that screen readers announce. */
export const announced = signal('');

/** The text that is announced after each operation. Default: `Done.` */
const DONE: Readonly<Record<string, string>> = {
  'answer-question': 'Your answer is sent.',
  'respond-recommendation': 'Your answer is sent.',
  'approve-contract': 'The contract is approved.',
  authorize: 'The stage is authorized.',
  pause: 'The session is paused.',
  'pause-all': 'All sessions are paused.',
  'resume-all': 'The sessions are active again.',
  resume: 'The session is active again.',
  start: 'The session is started.',
  end: 'The session has ended.',
  revoke: 'The access is revoked.',
  'request-changes': 'The contract is returned to its author.',
};

export function announceDone(operation: string): void {
  announced.value = DONE[operation] ?? 'Done.';
}
