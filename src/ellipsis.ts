// Cuts text that is too long for the line it stands in.

/** At most `most` characters, the last one an ellipsis where something was cut; never between the halves of a character. */
export const ellipsis = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
