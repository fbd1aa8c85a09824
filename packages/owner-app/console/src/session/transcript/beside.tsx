import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { ActionsPanel } from '../interventions/actions.tsx';
import { AuthorPanel } from '../interventions/author.tsx';
import { InterventionsBar } from '../interventions/bar.tsx';
import { InterventionsPanel } from '../interventions/panel.tsx';
import { QuestionsPanel } from '../interventions/questions.tsx';
import { DecisionsPanel } from './decisions-panel.tsx';

interface BesideProps {
  readonly live: LiveSession;
  readonly view: SessionView;
}

/** The panels beside the messages: what the owner can do, and the open records. */
export function Beside({ live, view }: BesideProps) {
  return (
    <>
      <InterventionsBar live={live} view={view} />
      <QuestionsPanel live={live} view={view} />
      <InterventionsPanel live={live} view={view} />
      <DecisionsPanel view={view} />
      <AuthorPanel live={live} view={view} />
      <ActionsPanel view={view} />
    </>
  );
}
