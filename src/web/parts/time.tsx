// Times for people: how long something takes or has taken, and the time of day.
import { now } from '../wire/state.ts';

const pad = (value: number): string => String(value).padStart(2, '0');

/** 420 ms, 3.1 s, 2 min, 3 h 5 min. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const minutes = Math.floor(ms / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** In whole seconds, for what changes while it is read. */
const rough = (ms: number): string => (ms < 60_000 ? `${Math.max(0, Math.floor(ms / 1_000))} s` : duration(ms));

export const clock = (time: number): string => {
  const at = new Date(time);
  return `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
};

const full = (time: number): string => new Date(time).toLocaleString();

/** For how long: "3 min". */
export const Since = ({ time }: { time: number }) => (
  <time dateTime={new Date(time).toISOString()} title={full(time)} class="time">
    {rough(now.value - time)}
  </time>
);

/** How much is left. */
export const Until = ({ time }: { time: number }) => (
  <time dateTime={new Date(time).toISOString()} title={full(time)} class="time">
    {rough(Math.max(0, time - now.value))}
  </time>
);

export const Clock = ({ time }: { time: number }) => (
  <time dateTime={new Date(time).toISOString()} title={full(time)} class="time">
    {clock(time)}
  </time>
);
