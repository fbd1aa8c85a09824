import type { Message } from '../../../../src/transcript/message.ts';
import type { SessionView } from '../../api/types.ts';
import { saveFile } from '../../ui/controls/save-file.ts';
import { actorName } from '../../ui/text/shown.tsx';
import { markdownTranscript } from './markdown-transcript.ts';

export function exportMarkdown(view: SessionView, events: readonly Message[]): void {
  const nameOf = (role: string): string => view.agents.find((agent) => agent.role === role)?.name ?? actorName(role);
  const text = markdownTranscript(view.title, events, nameOf);
  saveFile(`${view.session_id}.md`, new Blob([text], { type: 'text/markdown' }));
}
