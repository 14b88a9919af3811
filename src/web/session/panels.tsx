// What stands beside the picture: the timeline, the snapshot or the exports, as tabs.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ExportRow } from '../../surfaces/view/protocol.ts';
import { exportsOf } from '../wire/api.ts';
import { Exports } from './exports.tsx';
import { Snapshot } from './snapshot.tsx';
import { Timeline } from './timeline.tsx';

type Panel = 'Timeline' | 'Snapshot' | 'Exports';

export function Panels({ session, tab }: { session: string; tab: number | undefined }) {
  const shown = useSignal<Panel>('Timeline');
  const rows = useSignal<ExportRow[]>([]);
  useEffect(() => {
    const take = (found: ExportRow[]) => {
      rows.value = found;
    };
    exportsOf(session).then(take, () => take([])); // without exports there is no tab for them
  }, [session]);
  const panels: Panel[] = ['Timeline', 'Snapshot', ...(rows.value.length > 0 ? (['Exports'] as const) : [])];
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    shown.value = panels[(panels.indexOf(shown.value) + step + panels.length) % panels.length] ?? 'Timeline';
    document.getElementById(`panel-tab-${shown.value}`)?.focus();
    event.preventDefault();
  };
  return (
    <section class="panels" aria-label="What happened">
      <div role="tablist" aria-label="What happened" class="panel-tabs" onKeyDown={move}>
        {panels.map(name => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`panel-tab-${name}`}
            aria-selected={shown.value === name}
            aria-controls="panel"
            tabIndex={shown.value === name ? 0 : -1}
            onClick={() => {
              shown.value = name;
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <div id="panel" role="tabpanel" aria-labelledby={`panel-tab-${shown.value}`} class="panel">
        {shown.value === 'Timeline' && <Timeline />}
        {shown.value === 'Snapshot' && <Snapshot session={session} tab={tab} />}
        {shown.value === 'Exports' && <Exports rows={rows.value} />}
      </div>
    </section>
  );
}
