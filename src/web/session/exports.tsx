// The exports of a session: what can be downloaded of its run.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ExportRow } from '../../surfaces/view/protocol.ts';
import { Empty } from '../parts/notices.tsx';
import { exportsOf } from '../wire/api.ts';

export function Exports({ session }: { session: string }) {
  const rows = useSignal<ExportRow[] | undefined>(undefined);
  const why = useSignal('');
  const load = () =>
    exportsOf(session).then(
      found => {
        rows.value = found;
      },
      (error: Error) => {
        why.value = error.message;
      },
    );
  useEffect(() => void load(), [session]);
  if (why.value) return <Empty title={why.value} />;
  if (!rows.value) return <Empty title="Asking what there is…" />;
  if (rows.value.length === 0)
    return (
      <Empty title="Nothing to download yet">
        <p>After the first calls the run can be downloaded here, as a script and as a trace.</p>
      </Empty>
    );
  return (
    <ul class="exports">
      {rows.value.map(({ name, what, href }) => (
        <li key={name}>
          <a href={href} download={name}>
            {name}
          </a>
          <p class="muted">{what}</p>
        </li>
      ))}
    </ul>
  );
}
