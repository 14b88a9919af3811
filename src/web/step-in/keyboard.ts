// Keyboard, paste and input methods of the person → input for the page.
import type { PersonInput } from '../../surfaces/view/protocol.ts';

type Give = (input: PersonInput) => void;

export const modifiersOf = (event: {
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}): number => Number(event.altKey) + 2 * Number(event.ctrlKey) + 4 * Number(event.metaKey) + 8 * Number(event.shiftKey);

/** Leaves the captured keyboard: no page and no system uses it. */
const isWayOut = ({ ctrlKey, altKey, key }: KeyboardEvent): boolean => ctrlKey && altKey && key === 'Enter';

/** The browser turns it into a paste event, which has the text. */
const isPaste = ({ ctrlKey, metaKey, altKey, key }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'v';

/** Keys of touch screens and of input methods have no name; what they do comes as input or composition. */
const isUnnamed = ({ key, isComposing }: KeyboardEvent): boolean =>
  isComposing || key === 'Unidentified' || key === 'Process' || key === 'Dead' || key === '';

/** Listens until the answer is called. */
export function keyboardInto(field: HTMLTextAreaElement, give: Give): () => void {
  const listening = new AbortController();
  const listen = <K extends keyof HTMLElementEventMap>(type: K, take: (event: HTMLElementEventMap[K]) => void) =>
    field.addEventListener(type, take, { signal: listening.signal });
  const onKey = (action: 'down' | 'up') => (event: KeyboardEvent) => {
    if (isWayOut(event)) {
      document.getElementById('hand-back')?.focus();
      event.preventDefault();
      return;
    }
    if (isUnnamed(event) || isPaste(event)) return;
    event.preventDefault();
    const { key, code, keyCode, location, repeat } = event;
    give({ kind: 'key', action, key, code, keyCode, location, repeat, modifiers: modifiersOf(event) });
  };
  listen('keydown', onKey('down'));
  listen('keyup', onKey('up'));
  listen('paste', event => {
    event.preventDefault();
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text) give({ kind: 'text', text });
  });
  listen('compositionupdate', ({ data }) => give({ kind: 'compose', text: data }));
  listen('compositionend', ({ data }) => {
    give(data ? { kind: 'text', text: data } : { kind: 'compose', text: '' });
    field.value = '';
  });
  listen('beforeinput', event => {
    if (!event.isComposing) softKey(event, give);
  });
  listen('input', event => {
    if (!(event as InputEvent).isComposing) field.value = '';
  });
  listen('blur', () => give({ kind: 'release' }));
  return () => {
    listening.abort();
    give({ kind: 'release' });
  };
}

/** What the keyboard of a touch screen does without naming keys. */
const SOFT_KEYS: Readonly<Record<string, [key: string, keyCode: number]>> = {
  deleteContentBackward: ['Backspace', 8],
  deleteContentForward: ['Delete', 46],
  insertLineBreak: ['Enter', 13],
  insertParagraph: ['Enter', 13],
};

function softKey(event: InputEvent, give: Give): void {
  const { inputType, data } = event;
  const [key, keyCode] = SOFT_KEYS[inputType] ?? [];
  if (key !== undefined && keyCode !== undefined) {
    const named = { kind: 'key', key, code: key, keyCode, location: 0, repeat: false, modifiers: 0 } as const;
    give({ ...named, action: 'down' });
    give({ ...named, action: 'up' });
  } else if (data && inputType !== 'insertCompositionText') give({ kind: 'text', text: data });
}
