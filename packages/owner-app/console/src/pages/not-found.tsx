import { toSessions } from '../state/route.ts';
import { Link } from '../ui/link.tsx';

export function Nowhere() {
  return (
    <section class="empty">
      <h1>There is no such page</h1>
      <p>
        <Link to={toSessions()}>Back to your sessions</Link>
      </p>
    </section>
  );
}
