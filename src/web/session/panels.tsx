// What stands beside the picture: the timeline, the snapshot or the exports, as tabs.
import { useSignal } from '@preact/signals';
import { Exports } from './exports.tsx';
import { Snapshot } from './snapshot.tsx';
import { Timeline } from './timeline.tsx';

const PANELS = ['Timeline', 'Snapshot', 'Exports'] as const;

export function Panels({ session, tab }: { session: string; tab: number | undefined }) {
  const shown = useSignal<(typeof PANELS)[number]>('Timeline');
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    shown.value = PANELS[(PANELS.indexOf(shown.value) + step + PANELS.length) % PANELS.length] ?? 'Timeline';
    document.getElementById(`panel-tab-${shown.value}`)?.focus();
    event.preventDefault();
  };
  return (
    <section class="panels" aria-label="What happened">
      <div role="tablist" aria-label="What happened" class="panel-tabs" onKeyDown={move}>
        {PANELS.map(name => (
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
        {shown.value === 'Exports' && <Exports session={session} />}
      </div>
    </section>
  );
}
