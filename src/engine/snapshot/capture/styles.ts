// The computed styles a capture asks for, and their places in each node's style list. Each costs time (about 3 % of a capture).

/** Property → its place in STYLES. The order here is the order asked for. */
export const Style = {
  display: 0,
  visibility: 1,
  cursor: 2,
  'pointer-events': 3,
  overlay: 4,
  'content-visibility': 5,
  content: 6,
  'background-image': 7,
  overflow: 8,
} as const;

export type StyleName = keyof typeof Style;

export const STYLES: readonly string[] = Object.keys(Style);
