import { loadFile } from '../api/client.ts';
import { type AuditFilter, queryOf } from '../state/audit.ts';
import { saveFile } from '../ui/controls/save-file.ts';
import { Failure } from '../ui/requests/failure.tsx';
import { useAction } from '../ui/requests/use-action.ts';

/** Saves all events that match the filter as JSON lines, oldest first. */
export function ExportAudit({ filter }: { readonly filter: AuditFilter }) {
  const action = useAction();
  const save = async (): Promise<void> =>
    saveFile('parley-audit.jsonl', await loadFile(`/audit/export${queryOf(filter)}`));
  return (
    <>
      <Failure error={action.error} />
      <button type="button" disabled={action.isBusy} onClick={() => void action.run(save)}>
        Export as JSON lines
      </button>
    </>
  );
}
