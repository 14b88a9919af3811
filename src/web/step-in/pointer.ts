// Mouse, pen, wheel and touch of the person → input for the page, in CSS pixels of the picture, at most one move per frame.
import type { PersonInput } from '../../surfaces/view/protocol.ts';
import { modifiersOf } from './keyboard.ts';

type Give = (input: PersonInput) => void;

interface Size {
  width: number;
  height: number;
}

const BUTTONS = ['left', 'middle', 'right'] as const;
/** A second press is a double click within this time and distance. */
const DOUBLE_MS = 500;
const DOUBLE_PX = 5;
/** Wheels that count in lines or pages. */
const WHEEL_UNITS = [1, 40, 800];

/** Listens until the answer is called. */
export function pointerInto(field: HTMLElement, give: Give, sizeNow: () => Size): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  const listen = <K extends keyof HTMLElementEventMap>(type: K, take: (event: HTMLElementEventMap[K]) => void) =>
    field.addEventListener(type, take, { signal, passive: false });
  const pointOf = (event: { clientX: number; clientY: number }) => {
    const box = field.getBoundingClientRect();
    const size = sizeNow();
    const within = (share: number, whole: number) => Math.round(Math.min(1, Math.max(0, share)) * whole * 10) / 10;
    return {
      x: within((event.clientX - box.left) / box.width, size.width),
      y: within((event.clientY - box.top) / box.height, size.height),
    };
  };
  const later = onePerFrame();
  const mouse = mouseInput(give, pointOf, later);
  const touch = touchInput(give, pointOf, later);
  const inputOf = ({ pointerType }: PointerEvent) => (pointerType === 'touch' ? touch : mouse);

  listen('pointerdown', event => {
    event.preventDefault();
    field.setPointerCapture(event.pointerId);
    inputOf(event).down(event);
    // A touch would open the keyboard of the screen; there is a button for that.
    if (event.pointerType !== 'touch') field.focus({ preventScroll: true });
  });
  listen('pointermove', event => inputOf(event).move(event));
  listen('pointerup', event => inputOf(event).up(event));
  listen('pointercancel', event => inputOf(event).cancel(event));
  for (const type of ['mousedown', 'contextmenu', 'dragstart', 'touchstart'] as const)
    listen(type, event => event.preventDefault());
  listen('wheel', event => {
    event.preventDefault();
    const unit = WHEEL_UNITS[event.deltaMode] ?? 1;
    const { x, y } = pointOf(event);
    later.add('wheel', { dx: event.deltaX * unit, dy: event.deltaY * unit }, ({ dx, dy }) =>
      give({ kind: 'wheel', x, y, dx, dy, modifiers: modifiersOf(event) }),
    );
  });
  return () => {
    listening.abort();
    later.stop();
  };
}

type PointOf = (event: { clientX: number; clientY: number }) => { x: number; y: number };
type Later = ReturnType<typeof onePerFrame>;

function mouseInput(give: Give, pointOf: PointOf, later: Later) {
  let clicks = 0;
  let last = { time: 0, x: 0, y: 0 };
  const tell = (action: 'move' | 'down' | 'up', event: PointerEvent) =>
    give({
      kind: 'mouse',
      action,
      ...pointOf(event),
      button: action === 'move' ? 'none' : (BUTTONS[event.button] ?? 'none'),
      buttons: event.buttons,
      clicks: action === 'move' ? 0 : clicks,
      modifiers: modifiersOf(event),
    });
  return {
    down(event: PointerEvent) {
      later.flush();
      const { timeStamp: time, clientX: x, clientY: y } = event;
      const isNear = Math.hypot(x - last.x, y - last.y) <= DOUBLE_PX && time - last.time <= DOUBLE_MS;
      clicks = isNear ? (clicks % 3) + 1 : 1;
      last = { time, x, y };
      tell('down', event);
    },
    move: (event: PointerEvent) => later.set('move', () => tell('move', event)),
    up(event: PointerEvent) {
      later.flush();
      tell('up', event);
    },
    cancel: () => give({ kind: 'release' }),
  };
}

function touchInput(give: Give, pointOf: PointOf, later: Later) {
  const points = new Map<number, { id: number; x: number; y: number }>();
  const put = (event: PointerEvent) => {
    const known = points.get(event.pointerId)?.id;
    const free = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].find(id => ![...points.values()].some(point => point.id === id));
    points.set(event.pointerId, { id: known ?? free ?? 0, ...pointOf(event) });
  };
  const tell = (action: 'start' | 'move' | 'end' | 'cancel') =>
    give({ kind: 'touch', action, points: [...points.values()] });
  const end = (action: 'end' | 'cancel') => (event: PointerEvent) => {
    later.flush();
    points.delete(event.pointerId);
    tell(action);
  };
  return {
    down(event: PointerEvent) {
      put(event);
      tell('start');
    },
    move(event: PointerEvent) {
      if (!points.has(event.pointerId)) return;
      put(event);
      later.set('touch', () => tell('move'));
    },
    up: end('end'),
    cancel: end('cancel'),
  };
}

/** What comes more often than pictures do is sent once per frame: the latest of it, or its sum. */
function onePerFrame() {
  const waiting = new Map<string, () => void>();
  const sums = new Map<string, { dx: number; dy: number }>();
  let frame = 0;
  const flush = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    const all = [...waiting.values()];
    waiting.clear();
    for (const one of all) one();
  };
  const set = (name: string, run: () => void) => {
    waiting.set(name, run);
    frame ||= requestAnimationFrame(flush);
  };
  return {
    flush,
    set,
    add(name: string, more: { dx: number; dy: number }, run: (sum: { dx: number; dy: number }) => void) {
      const sum = sums.get(name) ?? { dx: 0, dy: 0 };
      sums.set(name, { dx: sum.dx + more.dx, dy: sum.dy + more.dy });
      set(name, () => {
        run(sums.get(name) ?? more);
        sums.delete(name);
      });
    },
    stop: () => cancelAnimationFrame(frame),
  };
}
