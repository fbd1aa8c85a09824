import { toInbox } from '../state/route.ts';
import { Link } from '../ui/text/link.tsx';

export function Nowhere() {
  return (
    <section class="empty">
      <h1>There is no such page</h1>
      <p>
        <Link to={toInbox()}>Back to your inbox</Link>
      </p>
    </section>
  );
}
