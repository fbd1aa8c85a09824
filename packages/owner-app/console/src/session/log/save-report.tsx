import { callOn } from '../../api/client.ts';
import { saveFile } from '../../ui/controls/save-file.ts';
import { Failure } from '../../ui/requests/failure.tsx';
import { useAction } from '../../ui/requests/use-action.ts';

const REPORTS = {
  html: { label: 'Save the report', type: 'text/html' },
  md: { label: 'Save it as Markdown', type: 'text/markdown' },
} as const;

interface SaveReportProps {
  readonly sessionId: string;
  /** The forms of the report that are offered, each as a button. */
  readonly formats: readonly (keyof typeof REPORTS)[];
}

/** Saves the report of a session as a file that can be read without the console. */
export function SaveReport({ sessionId, formats }: SaveReportProps) {
  const action = useAction();
  const save = (format: keyof typeof REPORTS): Promise<boolean> =>
    action.run(async () => {
      const { filename, text } = await callOn(sessionId, 'report', { format });
      saveFile(filename, new Blob([text], { type: REPORTS[format].type }));
    });
  return (
    <>
      <Failure error={action.error} />
      <div class="buttons">
        {formats.map((format) => (
          <button key={format} type="button" disabled={action.isBusy} onClick={() => void save(format)}>
            {REPORTS[format].label}
          </button>
        ))}
      </div>
    </>
  );
}
