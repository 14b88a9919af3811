// Kinds of handlers that an element can have, and the event types of each.

/** Bits of SnapNode.handlers. */
export const Handler = {
  click: 1,
  dblclick: 2,
  press: 4,
  menu: 8,
  hover: 16,
  drag: 32,
  drop: 64,
  /** It listens on behalf of what is inside it. */
  forOthers: 128,
} as const;

/** Event type → kind. Keys are left out, because what takes keys has the focus, and dragstart, because what can be dragged says so by an attribute. */
export const EVENT_KINDS: Readonly<Record<string, number>> = {
  click: Handler.click,
  dblclick: Handler.dblclick,
  mousedown: Handler.press,
  mouseup: Handler.press,
  pointerdown: Handler.press,
  pointerup: Handler.press,
  touchstart: Handler.press,
  touchend: Handler.press,
  contextmenu: Handler.menu,
  mouseenter: Handler.hover,
  mouseover: Handler.hover,
  pointerenter: Handler.hover,
  pointerover: Handler.hover,
  drop: Handler.drop,
  dragover: Handler.drop,
};

export const PRESSED = Handler.click | Handler.dblclick | Handler.press | Handler.menu;
