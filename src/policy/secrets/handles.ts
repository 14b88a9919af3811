// Handles: how a caller names a secret that it does not know, {{secret:NAME}} or {{totp:NAME}}.

export interface Handle {
  kind: 'secret' | 'totp';
  name: string;
}

/** What a secret may be called. */
export const SECRET_NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

const HANDLE = /\{\{\s*(secret|totp)\s*:\s*([^{}\s]{1,100})\s*\}\}/;

export const hasHandle = (text: string): boolean => text.includes('{{') && HANDLE.test(text);

/** The text in its order: words as they are, and handles. */
export function splitHandles(text: string): (string | Handle)[] {
  const parts = text.split(new RegExp(HANDLE, 'g'));
  const found: (string | Handle)[] = [];
  for (let at = 0; at < parts.length; at += 3) {
    if (parts[at]) found.push(parts[at] as string);
    const kind = parts[at + 1];
    if (kind) found.push({ kind: kind as Handle['kind'], name: parts[at + 2] ?? '' });
  }
  return found;
}
