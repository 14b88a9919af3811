// Runs inside the page: the objects that a canvas library (Fabric, Konva) keeps of what it has drawn.
// Sent as text and under a check of the engine that it changes nothing: it uses nothing from outside.

import type { DrawnItem } from './page-script.ts';

/** A matrix of two dimensions: `a c e` gives x, `b d f` gives y. */
type Matrix = readonly [number, number, number, number, number, number];
type Corner = { x: number; y: number };

/** An object on a canvas of Fabric. */
interface FabricObject {
  type?: unknown;
  name?: unknown;
  id?: unknown;
  text?: unknown;
  visible?: boolean;
  evented?: boolean;
  aCoords?: { tl: Corner; br: Corner };
  _objects?: FabricObject[];
}

/** Fabric: objects with their corners, in pixels of the scene, which the viewport moves and zooms. */
export function fabricItems(
  canvas: { _objects: FabricObject[]; viewportTransform?: Matrix; width?: number },
  el: HTMLElement,
  found: DrawnItem[],
  most: number,
): void {
  const [a, b, c, d, e, f] = canvas.viewportTransform ?? [1, 0, 0, 1, 0, 0];
  const scale = el.offsetWidth / (Number(canvas.width) || el.offsetWidth);
  for (let i = 0; i < canvas._objects.length && i < 1_000 && found.length < most; i++) {
    const object = canvas._objects[i] as FabricObject;
    const corners = object.aCoords;
    if (object.visible === false || object.evented === false || !corners) continue;
    const x = (corners.tl.x + corners.br.x) / 2;
    const y = (corners.tl.y + corners.br.y) / 2;
    let said = object.name || object.id || object.text;
    for (let k = 0; !said && object._objects && k < object._objects.length && k < 20; k++)
      said = object._objects[k]?.text;
    found[found.length] = {
      word: String(object.type || 'shape').toLowerCase(),
      name: String(said || i + 1),
      key: String(i),
      x: (a * x + c * y + e) * scale,
      y: (b * x + d * y + f) * scale,
    };
  }
}

/** A node of Konva: a layer, a group or a shape. */
interface KonvaNode {
  className?: string;
  attrs: Record<string, unknown>;
  children?: KonvaNode[];
  textWidth?: number;
  textHeight?: number;
  canvas?: { _canvas?: unknown };
}

/** Konva: the shapes of the layer that this canvas shows. */
export function konvaItems(
  stages: { children: KonvaNode[]; attrs: Record<string, unknown> }[],
  el: HTMLElement,
  found: DrawnItem[],
  most: number,
): void {
  for (let s = 0; s < stages.length && s < 20; s++) {
    const stage = stages[s];
    for (let l = 0; stage && l < stage.children.length && l < 20; l++) {
      const layer = stage.children[l] as KonvaNode;
      if (layer.canvas?._canvas !== el) continue;
      const whole = konvaMatrix([1, 0, 0, 1, 0, 0], stage.attrs);
      konvaShapes(layer, konvaMatrix(whole, layer.attrs), '', '', found, most);
      return;
    }
  }
}

/** The shapes below a node that take events; one without a name is called by the group around it, or by its text there. */
export function konvaShapes(
  node: KonvaNode,
  matrix: Matrix,
  path: string,
  around: string,
  found: DrawnItem[],
  most: number,
): void {
  for (let i = 0; node.children && i < node.children.length && i < 1_000 && found.length < most; i++) {
    const kid = node.children[i] as KonvaNode;
    const { attrs } = kid;
    if (attrs.visible === false || attrs.listening === false) continue;
    const own = konvaMatrix(matrix, attrs);
    const name = String(attrs.name || attrs.id || attrs.text || around || '');
    const key = `${path}/${i}`;
    if (kid.children) {
      // Deeper groups are no drawing's.
      if (key.length < 30) konvaShapes(kid, own, key, name, found, most);
      continue;
    }
    const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
    const isRound = attrs.radius !== undefined || attrs.radiusX !== undefined || attrs.outerRadius !== undefined;
    const points = (attrs.points ?? []) as number[];
    const x = isRound
      ? 0
      : points.length > 3
        ? ((points[0] ?? 0) + (points[2] ?? 0)) / 2
        : number(attrs.width ?? kid.textWidth) / 2;
    const y = isRound
      ? 0
      : points.length > 3
        ? ((points[1] ?? 0) + (points[3] ?? 0)) / 2
        : number(attrs.height ?? kid.textHeight) / 2;
    found[found.length] = {
      word: (kid.className || 'shape').toLowerCase(),
      name: name || String(found.length + 1),
      key,
      x: own[0] * x + own[2] * y + own[4],
      y: own[1] * x + own[3] * y + own[5],
    };
  }
}

/** Moved, turned, scaled and shifted as the attributes of a node say. */
export function konvaMatrix([a, b, c, d, e, f]: Matrix, attrs: Record<string, unknown>): Matrix {
  const number = (key: string, otherwise: number): number =>
    typeof attrs[key] === 'number' ? (attrs[key] as number) : otherwise;
  const turn = (number('rotation', 0) * Math.PI) / 180;
  const [p, q] = [Math.cos(turn) * number('scaleX', 1), Math.sin(turn) * number('scaleX', 1)];
  const [r, s] = [-Math.sin(turn) * number('scaleY', 1), Math.cos(turn) * number('scaleY', 1)];
  const x = number('x', 0) - p * number('offsetX', 0) - r * number('offsetY', 0);
  const y = number('y', 0) - q * number('offsetX', 0) - s * number('offsetY', 0);
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * x + c * y + e, b * x + d * y + f];
}
