import type { LiveSession } from '../state/live-session.ts';

export function LogTab({ live }: { readonly live: LiveSession }) {
  return <p>{live.view.value?.title}</p>;
}
