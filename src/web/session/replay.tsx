// Back in time: the pictures of the calls as a film that can be stopped, with the live picture at its end.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { clock } from '../parts/time.tsx';
import { openCall, shownPicture, shownStep, steps } from './timeline-state.ts';

/** How long a picture stays while the film runs. */
const STEP_MS = 900;

/** Shows the step at an index; behind the last one it is live. */
function show(index: number): void {
  const step = steps.value[Math.max(0, index)];
  shownPicture.value = step?.picture;
  openCall.value = step?.call.id ?? openCall.value;
}

const current = (): number => {
  const step = shownStep.value;
  return step ? steps.value.indexOf(step) : steps.value.length;
};

export function Replay() {
  const isPlaying = useSignal(false);
  useEffect(() => {
    if (!isPlaying.value) return;
    const timer = setInterval(() => {
      show(current() + 1);
      if (current() >= steps.value.length) isPlaying.value = false;
    }, STEP_MS);
    return () => clearInterval(timer);
  }, [isPlaying.value]);
  const count = steps.value.length;
  if (count === 0)
    return <p class="replay muted">While somebody watches, each call keeps a picture from before and after it.</p>;
  const at = current();
  const step = shownStep.value;
  const words = step ? `${clock(step.call.began)} ${step.which} ${step.call.tool} ${step.call.target}` : 'Live';
  return (
    <div class="replay">
      <button
        type="button"
        onClick={() => {
          if (!isPlaying.value && at >= count) show(0);
          isPlaying.value = !isPlaying.value;
        }}
      >
        {isPlaying.value ? 'Pause' : 'Replay'}
      </button>
      <input
        type="range"
        aria-label="Picture"
        aria-valuetext={words}
        min={0}
        max={count}
        value={at}
        onInput={({ currentTarget }) => {
          isPlaying.value = false;
          show(currentTarget.valueAsNumber);
        }}
      />
      <button
        type="button"
        disabled={!step}
        onClick={() => {
          isPlaying.value = false;
          show(count);
        }}
      >
        Live
      </button>
      <span class={step ? 'replay-at one-line' : 'replay-at one-line muted'}>{words}</span>
    </div>
  );
}
