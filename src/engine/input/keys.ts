// The keys of a US keyboard: what each is called, what it sends to a page, and what combinations mean to an editor on macOS.

/** In the order of CDP's bits: Alt 1, Control 2, Meta 4, Shift 8. */
export const MODIFIERS = ['Alt', 'Control', 'Meta', 'Shift'] as const;
export type Modifier = (typeof MODIFIERS)[number];

export const modifierBits = (names: readonly string[] = []): number =>
  MODIFIERS.reduce((bits, modifier, at) => bits | (names.includes(modifier) ? 1 << at : 0), 0);

interface Key {
  code: string;
  key: string;
  /** As Windows numbers them. */
  keyCode: number;
  /** 1 and 2: the left and the right one of two; 3: on the number pad. */
  location: 0 | 1 | 2 | 3;
  /** The same key while Shift is held. */
  shifted?: Key;
}

/** The last two are for Shift. */
type Row = readonly [code: string, keyCode: number, key: string, shifted?: string, shiftedCode?: number];

const row = (code: string, keyCode: number): Row => [code, keyCode, code];

/** The number pad without Num Lock, from 0 on. */
const PAD: readonly Row[] = [
  row('Insert', 45),
  row('End', 35),
  row('ArrowDown', 40),
  row('PageDown', 34),
  row('ArrowLeft', 37),
  row('Clear', 12),
  row('ArrowRight', 39),
  row('Home', 36),
  row('ArrowUp', 38),
  row('PageUp', 33),
];

const ROWS: readonly Row[] = [
  ...[...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((upper, at): Row => [`Key${upper}`, 65 + at, upper.toLowerCase(), upper]),
  ...[...')!@#$%^&*('].map((shifted, at): Row => [`Digit${at}`, 48 + at, String(at), shifted]),
  ['Space', 32, ' '],
  ['Semicolon', 186, ';', ':'],
  ['Equal', 187, '=', '+'],
  ['Comma', 188, ',', '<'],
  ['Minus', 189, '-', '_'],
  ['Period', 190, '.', '>'],
  ['Slash', 191, '/', '?'],
  ['Backquote', 192, '`', '~'],
  ['BracketLeft', 219, '[', '{'],
  ['Backslash', 220, '\\', '|'],
  ['BracketRight', 221, ']', '}'],
  ['Quote', 222, "'", '"'],
  row('Backspace', 8),
  row('Tab', 9),
  row('Enter', 13),
  row('Pause', 19),
  row('CapsLock', 20),
  row('Escape', 27),
  row('PrintScreen', 44),
  row('Delete', 46),
  row('ContextMenu', 93),
  row('NumLock', 144),
  row('ScrollLock', 145),
  ...PAD.filter(([code]) => code !== 'Clear'),
  ...Array.from({ length: 24 }, (_, at) => row(`F${at + 1}`, 112 + at)),
  ['ShiftLeft', 16, 'Shift'],
  ['ShiftRight', 16, 'Shift'],
  ['ControlLeft', 17, 'Control'],
  ['ControlRight', 17, 'Control'],
  ['AltLeft', 18, 'Alt'],
  ['AltRight', 18, 'Alt'],
  ['MetaLeft', 91, 'Meta'],
  ['MetaRight', 92, 'Meta'],
  ['NumpadMultiply', 106, '*'],
  ['NumpadAdd', 107, '+'],
  ['NumpadSubtract', 109, '-'],
  ['NumpadDivide', 111, '/'],
  ['NumpadEnter', 13, 'Enter'],
  ['NumpadDecimal', 46, 'Delete', '.', 110],
  ...PAD.map(([, keyCode, key], at): Row => [`Numpad${at}`, keyCode, key, String(at), 96 + at]),
];

function locationOf(code: string): Key['location'] {
  if (code.startsWith('Numpad')) return 3;
  const [, side] = /^(?:Shift|Control|Alt|Meta)(Left|Right)$/.exec(code) ?? [];
  return side === undefined ? 0 : side === 'Left' ? 1 : 2;
}

/** By code, and by what is sent, which then stays so with Shift; of several keys that send the same it is the first above. */
const KEYS = new Map<string, Key>();
for (const [code, keyCode, key, other, otherCode = keyCode] of ROWS) {
  const plain = { code, key, keyCode, location: locationOf(code) };
  const shifted = other === undefined ? undefined : { ...plain, key: other, keyCode: otherCode };
  KEYS.set(code, shifted ? { ...plain, shifted } : plain);
  if (plain.location === 3) continue;
  if (!KEYS.has(key)) KEYS.set(key, plain);
  if (shifted) KEYS.set(shifted.key, shifted);
}
for (const [name, is] of Object.entries({
  '\r': 'Enter',
  '\n': 'Enter',
  ControlOrMeta: process.platform === 'darwin' ? 'Meta' : 'Control',
}))
  KEYS.set(name, KEYS.get(is)!);

/** By its name or its character; undefined when a US keyboard has no such key. */
export const keyNamed = (name: string): Key | undefined => KEYS.get(name);

/** What keys mean to an editor on macOS, where Chrome leaves that to the system. With Shift, what moves selects. */
const MAC_COMMANDS: Readonly<Record<string, string>> = {
  Backspace: 'deleteBackward',
  Delete: 'deleteForward',
  ArrowUp: 'moveUp',
  ArrowDown: 'moveDown',
  ArrowLeft: 'moveLeft',
  ArrowRight: 'moveRight',
  Home: 'scrollToBeginningOfDocument',
  End: 'scrollToEndOfDocument',
  PageUp: 'scrollPageUp',
  PageDown: 'scrollPageDown',
  'Shift+Home': 'moveToBeginningOfDocumentAndModifySelection',
  'Shift+End': 'moveToEndOfDocumentAndModifySelection',
  'Shift+PageUp': 'pageUpAndModifySelection',
  'Shift+PageDown': 'pageDownAndModifySelection',
  'Control+KeyA': 'moveToBeginningOfParagraph',
  'Control+KeyB': 'moveBackward',
  'Control+KeyD': 'deleteForward',
  'Control+KeyE': 'moveToEndOfParagraph',
  'Control+KeyF': 'moveForward',
  'Control+KeyH': 'deleteBackward',
  'Control+KeyK': 'deleteToEndOfParagraph',
  'Control+KeyN': 'moveDown',
  'Control+KeyP': 'moveUp',
  'Control+KeyT': 'transpose',
  'Control+KeyY': 'yank',
  'Control+Backspace': 'deleteBackwardByDecomposingPreviousCharacter',
  'Control+ArrowLeft': 'moveToLeftEndOfLine',
  'Control+ArrowRight': 'moveToRightEndOfLine',
  'Alt+Backspace': 'deleteWordBackward',
  'Alt+Delete': 'deleteWordForward',
  'Alt+ArrowLeft': 'moveWordLeft',
  'Alt+ArrowRight': 'moveWordRight',
  'Alt+ArrowUp': 'moveParagraphBackward',
  'Alt+ArrowDown': 'moveParagraphForward',
  'Meta+Backspace': 'deleteToBeginningOfLine',
  'Meta+ArrowUp': 'moveToBeginningOfDocument',
  'Meta+ArrowDown': 'moveToEndOfDocument',
  'Meta+ArrowLeft': 'moveToLeftEndOfLine',
  'Meta+ArrowRight': 'moveToRightEndOfLine',
  'Meta+KeyA': 'selectAll',
  'Meta+KeyC': 'copy',
  'Meta+KeyX': 'cut',
  'Meta+KeyV': 'paste',
  'Meta+KeyZ': 'undo',
  'Shift+Meta+KeyZ': 'redo',
};

/** The editing commands of a key with these modifiers on macOS. */
export function macCommands(code: string, bits: number): string[] {
  const named = (modifiers: readonly Modifier[]) =>
    MAC_COMMANDS[[...modifiers.filter(name => bits & modifierBits([name])), code].join('+')];
  const own = named(['Shift', 'Control', 'Alt', 'Meta']);
  if (own !== undefined) return [own];
  const plain = named(['Control', 'Alt', 'Meta']);
  return plain === undefined ? [] : [plain.startsWith('move') ? `${plain}AndModifySelection` : plain];
}
