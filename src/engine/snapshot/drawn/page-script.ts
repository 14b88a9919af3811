// Runs inside the page: the items that a library (Chart.js, ECharts, Fabric, Konva) has drawn, read off what its listeners hold on to.
// Sent as text and under a check of the engine that it changes nothing: it uses nothing from outside.

import type { fabricItems, konvaItems } from './scene-script.ts';

/** Given as an argument: what is imported has another name in the text that is sent. */
interface Scenes {
  fabricItems: typeof fabricItems;
  konvaItems: typeof konvaItems;
}

/** One thing in a drawing that has no element of its own. */
export interface DrawnItem {
  /** What it is: `bar`, `slice`, `point`. */
  word: string;
  name: string;
  /** Which one of its drawing; empty: the items will be known at the next frame. */
  key: string;
  /** In CSS pixels from the top left corner of the element. */
  x: number;
  y: number;
}

/** Objects of libraries are whatever the page makes of them. */
type Loose = { [key: string]: Loose } & { length: number; canvas?: unknown };

/** `held` is what a listener holds on to: its scopes with its variables, outwards, or the object that it is bound to. */
export function drawnItems(held: { object?: Loose }[] | Loose, el: HTMLElement, scenes: Scenes): DrawnItem[] {
  const most = 100;
  const found: DrawnItem[] = [];
  const objects: (Loose | undefined)[] = [held as Loose];
  for (let s = 0; s < held.length && s < 3; s++) {
    const variables = (held as { object?: Loose }[])[s]?.object ?? ({} as Loose);
    const names = Object.keys(variables);
    for (let k = 0; k < names.length && k < 20; k++) objects[objects.length] = variables[names[k] as string];
  }
  for (let k = 0; k < objects.length && !found.length; k++) {
    const one = objects[k];
    if (one === null || typeof one !== 'object') continue;
    if (one.canvas === el && one._metasets) chartItems(one, el, found, most);
    else if (one.handler?.storage?._displayList) {
      echartsItems(one.handler, el, found, most);
      // Before its first frame.
      if (!one.handler.storage._displayList.length && one.handler.storage._roots?.length)
        found[0] = { word: '', name: '', key: '', x: 0, y: 0 };
    } else if (one._objects && (one.upperCanvasEl as unknown) === el) scenes.fabricItems(one as never, el, found, most);
  }
  // Konva's listeners tell nothing, but the library is a global variable.
  const { Konva } = globalThis as unknown as { Konva?: { stages?: never } };
  if (!found.length && Konva?.stages) scenes.konvaItems(Konva.stages, el, found, most);
  return found;
}

/** Chart.js: data sets of elements, in CSS pixels of the chart. */
export function chartItems(chart: Loose, el: HTMLElement, found: DrawnItem[], most: number): void {
  const words = { bar: 'bar', pie: 'slice', doughnut: 'slice', polarArea: 'slice' } as Record<string, string>;
  const scale = el.offsetWidth / (Number(chart.width) || el.offsetWidth);
  const { labels, datasets } = chart.data as unknown as { labels?: unknown[]; datasets: Loose[] };
  const metas = chart._metasets as unknown as Loose[];
  for (let d = 0; d < metas.length; d++) {
    const drawn = metas[d]?.hidden ? [] : ((metas[d]?.data ?? []) as unknown as Record<string, number>[]);
    for (let i = 0; i < drawn.length && found.length < most; i++) {
      const {
        x = 0,
        y = 0,
        base,
        horizontal,
        startAngle,
        endAngle = 0,
        innerRadius = 0,
        outerRadius = 0,
      } = drawn[i] ?? {};
      const turn = ((startAngle ?? 0) + endAngle) / 2;
      const far = startAngle === undefined ? 0 : (innerRadius + outerRadius) / 2;
      const [cx, cy] = base === undefined ? [x, y] : horizontal ? [(x + base) / 2, y] : [x, (y + base) / 2];
      const value = (datasets[d]?.data as unknown as unknown[])?.[i];
      const label = labels?.[i] ?? i + 1;
      const series = datasets[d]?.label ? ` ${datasets[d]?.label}` : '';
      const name = `${label}${series}${typeof value === 'number' ? `: ${value}` : ''}`;
      found[found.length] = {
        word: words[String(metas[d]?.type)] ?? 'point',
        name,
        key: `${d}/${i}`,
        x: (cx + Math.cos(turn) * far) * scale,
        y: (cy + Math.sin(turn) * far) * scale,
      };
    }
  }
}

/** ECharts: shapes with a transformation each; those of data know the number of their series and their place in it. */
export function echartsItems(handler: Loose, el: HTMLElement, found: DrawnItem[], most: number): void {
  const words = { bar: 'bar', pie: 'slice', sunburst: 'slice', treemap: 'tile', map: 'region' } as Record<
    string,
    string
  >;
  const root = (el.firstElementChild ?? el) as HTMLElement;
  const inside = root.offsetParent === el;
  const left = inside ? root.offsetLeft : root.offsetLeft - el.offsetLeft;
  const top = inside ? root.offsetTop : root.offsetTop - el.offsetTop;
  const shapes = handler.storage?._displayList as Loose;
  const model = globalModel(handler);
  const names = model ? innerNames(shapes) : [];
  const known = new Set<string>();
  for (let i = 0; model && i < shapes.length && found.length < most; i++) {
    const drawn = shapes[i] as Loose;
    const shape = drawn.shape as unknown as Record<string, number> | undefined;
    const about = shape && aboutShape(drawn, names);
    if (!about || !shape) continue;
    const key = `${about.seriesIndex}/${about.dataIndex}`;
    if (known.has(key)) continue;
    known.add(key);
    const series = model.getSeriesByIndex(about.seriesIndex);
    const turn = ((shape.startAngle ?? 0) + (shape.endAngle ?? 0)) / 2;
    const far = shape.startAngle === undefined ? 0 : ((shape.r0 ?? 0) + (shape.r ?? 0)) / 2;
    const x = (shape.cx ?? (shape.x ?? 0) + (shape.width ?? 0) / 2) + Math.cos(turn) * far;
    const y = (shape.cy ?? (shape.y ?? 0) + (shape.height ?? 0) / 2) + Math.sin(turn) * far;
    const m = drawn.transform as unknown as number[] | null | undefined;
    const name = series.getData().getName(about.dataIndex);
    found[found.length] = {
      word: words[series.subType] ?? 'point',
      name: name || String(about.dataIndex + 1),
      key,
      x: (m ? m[0]! * x + m[2]! * y + m[4]! : x) + left,
      y: (m ? m[1]! * x + m[3]! * y + m[5]! : y) + top,
    };
  }
}

interface Series {
  subType: string;
  getData(): { getName(at: number): string };
}

/** The model of the chart: the chart listens to its drawing, and is the context of that listener. */
export function globalModel(handler: Loose): { getSeriesByIndex(at: number): Series } | undefined {
  const listeners = handler._$handlers?.click as unknown as { ctx?: { _model?: never } }[] | undefined;
  for (let i = 0; listeners && i < listeners.length; i++) {
    const model = listeners[i]?.ctx?._model;
    if (model) return model;
  }
  return undefined;
}

/** The names under which ECharts keeps what it knows of shapes. A call is dear here, so only the first shapes are asked for all their names. */
export function innerNames(shapes: Loose): string[] {
  const names: string[] = [];
  for (let i = 0; i < shapes.length && i < 40; i++)
    for (const name of Object.keys(shapes[i] as Loose))
      if (name.startsWith('__ec_inner_') && !names.includes(name)) names[names.length] = name;
  return names;
}

/** What ECharts keeps with a shape of data, or with the group around it. */
export function aboutShape(drawn: Loose, names: string[]): { seriesIndex: number; dataIndex: number } | undefined {
  let at: Loose | undefined = drawn;
  for (let up = 0; at && up < 3; up++, at = at.parent)
    for (let k = 0; k < names.length; k++) {
      const data = at[names[k] as string] as unknown as Record<string, number> | undefined;
      if (data && typeof data.seriesIndex === 'number' && typeof data.dataIndex === 'number')
        return { seriesIndex: data.seriesIndex, dataIndex: data.dataIndex };
    }
  return undefined;
}
