import { callOn } from '../../api/client.ts';
import { saveFile } from '../../ui/controls/browser.ts';
import { Failure, useAction } from '../../ui/requests.tsx';

const FILES = {
  html: { label: 'Save the report', type: 'text/html' },
  md: { label: 'Save it as Markdown', type: 'text/markdown' },
  certificate: { label: 'Save the certificate', type: 'application/json' },
} as const;

interface SaveButtonsProps {
  readonly sessionId: string;
  /** The files that are offered, each as a button. */
  readonly files: readonly (keyof typeof FILES)[];
}

/** Saves the report or the certificate of a session as a file that can be read without the console. */
export function SaveButtons({ sessionId, files }: SaveButtonsProps) {
  const action = useAction();
  const save = (file: keyof typeof FILES): Promise<boolean> =>
    action.run(async () => {
      const made = file === 'certificate' ? callOn(sessionId, file) : callOn(sessionId, 'report', { format: file });
      const { filename, text } = await made;
      saveFile(filename, new Blob([text], { type: FILES[file].type }));
    });
  return (
    <>
      <Failure error={action.error} />
      <div class="buttons">
        {files.map((file) => (
          <button key={file} type="button" disabled={action.isBusy} onClick={() => void save(file)}>
            {FILES[file].label}
          </button>
        ))}
      </div>
    </>
  );
}
