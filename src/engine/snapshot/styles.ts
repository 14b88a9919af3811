// The computed styles a capture asks for, and their places in each node's style list.

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
  interactivity: 8,
  'overflow-x': 9,
  'overflow-y': 10,
  position: 11,
  '-webkit-user-modify': 12,
  'border-left-width': 13,
  'border-top-width': 14,
} as const;

export type StyleName = keyof typeof Style;

export const STYLES: readonly string[] = Object.keys(Style);
