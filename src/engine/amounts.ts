// Amounts as people read them: bytes, times, counts.

/** `312 bytes`, `4.2 kB`, `13 MB`. */
export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  const [value, unit] = bytes < 999_500 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

export const seconds = (ms: number): string =>
  ms < 9_950 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 1_000)} s`;

export const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

const UNITS = [
  [24 * 3_600_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

/** Such as `3 min`. */
export function ago(ms: number): string {
  const [size, unit] = UNITS.find(([least]) => ms >= least) ?? [1_000, 's'];
  return `${Math.max(0, Math.floor(ms / size))} ${unit}`;
}
