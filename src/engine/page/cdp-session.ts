// CdpSession: one CDP session (of a page, or of an out-of-process frame), and the frames and script worlds that its events report.
import type { Protocol } from 'devtools-protocol';
import type { CdpCommands, CdpEvents, CdpParams, CdpResult } from '../../cdp/protocol.ts';
import type { TargetSession } from '../../cdp/session.ts';
import type { Size } from '../geometry.ts';
import { type InPage, SOURCE } from '../inpage/source.ts';

/** Our own script world in each frame: the page cannot change what our scripts rely on. */
const WORLD = 'tabwright';

export const AS_NODES: Protocol.Runtime.SerializationOptions = {
  serialization: 'deep',
  maxDepth: 1,
  additionalParameters: { maxNodeDepth: 0, includeShadowTree: 'none' },
};

export interface SerializedNode {
  value?: { backendNodeId?: number };
  weakLocalObjectReference?: number;
}

/** Commands whose answer may have an object, and the names of objects: isolate, script world, number. */
const GIVES_OBJECT = /^(Runtime\.(evaluate|callFunctionOn)|DOM\.resolveNode)$/;
const OBJECT_NAME = /^(-?\d+\.\d+\.)(\d+)$/;

interface GivenObject {
  result?: Protocol.Runtime.RemoteObject;
  object?: Protocol.Runtime.RemoteObject;
  exceptionDetails?: Protocol.Runtime.ExceptionDetails;
}

/** What a capture lacks. */
export interface PageLook {
  /** Backend node id of the focused element, if there is one. */
  focused: number | undefined;
  viewport: Size;
}

type PageFact = 'viewport' | 'mayBeMixed' | 'nextTask' | 'nextFrame';

export class CdpSession {
  /** Frames served by this session: CDP frame id → loader id of the document in it. */
  readonly loaders = new Map<string, string>();
  /** Default script worlds: CDP frame id → execution context. */
  readonly worlds = new Map<string, number>();
  /** Execution context → the origin that its scripts have. */
  readonly origins = new Map<number, string>();
  /** Frames that have no document of their own yet. */
  readonly attached = new Set<string>();
  readonly #own = new Map<string, Promise<number>>();
  /** The number of the object that Chrome gave last in each script world, by how their names begin. */
  readonly #objects = new Map<string, number>();
  /** Commands under way that may give an object. */
  #giving = 0;

  constructor(
    readonly key: string,
    readonly session: TargetSession,
    /** The outermost frame that this session serves; its target has the same id. */
    readonly root: string,
  ) {
    this.on('Runtime.executionContextCreated', ({ context }) => {
      const { frameId, isDefault } = (context.auxData ?? {}) as { frameId?: string; isDefault?: boolean };
      if (frameId === undefined || !isDefault) return;
      this.worlds.set(frameId, context.id);
      this.origins.set(context.id, context.origin);
    });
    this.on('Runtime.executionContextDestroyed', ({ executionContextId }) => this.#forget(executionContextId));
    this.on('Runtime.executionContextsCleared', () => {
      this.worlds.clear();
      this.origins.clear();
      this.#own.clear();
      this.#objects.clear();
    });
    this.on('Page.frameNavigated', ({ frame }) => this.#navigated(frame));
    this.on('Page.frameAttached', ({ frameId }) => this.attached.add(frameId));
    this.on('Page.frameDetached', ({ frameId }) => {
      this.attached.delete(frameId);
      this.loaders.delete(frameId);
      this.#own.delete(frameId);
    });
  }

  get closed(): boolean {
    return this.session.closed;
  }

  send<M extends keyof CdpCommands>(method: M, ...params: CdpParams<M>): Promise<CdpResult<M>> {
    const answer = this.session.send(method, ...params);
    const [asked] = params as [{ returnByValue?: boolean }?];
    if (GIVES_OBJECT.test(method)) this.#countObject(answer as Promise<GivenObject>, asked?.returnByValue ? 0 : 1);
    return answer;
  }

  /** `count`: how many it gives, unless something fails in the page. */
  #countObject(answer: Promise<GivenObject>, count: number): void {
    this.#giving += count;
    answer.then(
      ({ result, object, exceptionDetails }) => {
        this.#giving -= count;
        for (const given of [result, object, exceptionDetails?.exception]) {
          const [, start, number] = OBJECT_NAME.exec(given?.objectId ?? '') ?? [];
          if (start !== undefined) this.#objects.set(start, Math.max(Number(number), this.#objects.get(start) ?? 0));
        }
      },
      () => {
        this.#giving -= count;
      },
    );
  }

  /** Returns how to stop listening. */
  on<E extends keyof CdpEvents>(event: E, listener: (payload: CdpEvents[E][0]) => void): () => void {
    return this.session.on(event, listener);
  }

  /** What the frame tree says that Chrome gave when the session was opened. */
  record({ frame, childFrames }: Protocol.Page.FrameTree): void {
    this.loaders.set(frame.id, frame.loaderId);
    for (const child of childFrames ?? []) this.record(child);
  }

  /** Backend node ids of the node or the list of nodes that an expression gives; undefined for anything else. */
  async nodes(expression: string, contextId: number): Promise<number[] | undefined> {
    const { result } = await this.send('Runtime.evaluate', { expression, contextId, serializationOptions: AS_NODES });
    const { objectId, deepSerializedValue: found } = result;
    if (objectId !== undefined) void this.send('Runtime.releaseObject', { objectId }).catch(() => undefined);
    const list = found?.type === 'array' ? (found.value as SerializedNode[]) : [found as SerializedNode];
    // A node that stands in the list again is only a reference to its first place.
    const first = (item: SerializedNode) =>
      list.find(other => other?.value && other.weakLocalObjectReference === item.weakLocalObjectReference);
    const ids = list.map(
      item =>
        (item?.value ?? (item?.weakLocalObjectReference === undefined ? undefined : first(item)?.value))?.backendNodeId,
    );
    return ids.every(id => id !== undefined) ? ids : undefined;
  }

  /** Calls one of our in-page functions that are about a whole page. */
  async ask<K extends PageFact>(name: K, frame = this.root): Promise<Awaited<ReturnType<InPage[K]>>> {
    const { result } = await this.send('Runtime.evaluate', {
      expression: `tabwright.${name}()`,
      contextId: await this.own(frame),
      returnByValue: true,
      awaitPromise: true,
    });
    return result.value as Awaited<ReturnType<InPage[K]>>;
  }

  /** Calls one of our in-page functions that answers nothing. */
  async tell<K extends 'reveal'>(name: K, arg: Parameters<InPage[K]>[0], frame: string): Promise<void> {
    const expression = `tabwright.${name}(${JSON.stringify(arg)})`;
    await this.send('Runtime.evaluate', { expression, contextId: await this.own(frame) });
  }

  /** The object of a node in that script world; in the default one of its frame without any. */
  async objectOf(backendNodeId: number, world: number | undefined): Promise<string | undefined> {
    const { object } = await this.send('DOM.resolveNode', {
      backendNodeId,
      ...(world !== undefined && { executionContextId: world }),
    });
    return object.objectId;
  }

  /** What the next object in that world will be called: Chrome counts them. Undefined when others are on their way. */
  nextObject(world: number): string | undefined {
    const last = [...this.#objects].find(([start]) => start.endsWith(`.${world}.`));
    return last && this.#giving === 0 ? `${last[0]}${last[1] + 1}` : undefined;
  }

  /** The focused element, if there is one. */
  async focused(frame = this.root): Promise<number[] | undefined> {
    return this.nodes('tabwright.focused()', await this.own(frame));
  }

  /** The focused element and the viewport, by one question. */
  async look(): Promise<PageLook> {
    // Without a focus no list, which Chrome would have to be told to forget.
    const expression = '(f => f ? [f, innerWidth, innerHeight] : innerWidth + " " + innerHeight)(tabwright.focused())';
    const question = { expression, serializationOptions: AS_NODES };
    const { result } = await this.send('Runtime.evaluate', { ...question, contextId: await this.own(this.root) });
    const { objectId, deepSerializedValue } = result;
    if (objectId === undefined) {
      const [width, height] = String(deepSerializedValue?.value ?? result.value)
        .split(' ')
        .map(Number) as [number, number];
      return { focused: undefined, viewport: { width, height } };
    }
    void this.send('Runtime.releaseObject', { objectId }).catch(() => undefined);
    const [focused, width, height] = (deepSerializedValue?.value ?? []) as { value?: unknown }[];
    return {
      focused: (focused as SerializedNode | undefined)?.value?.backendNodeId,
      viewport: { width: Number(width?.value), height: Number(height?.value) },
    };
  }

  /** The execution context of our own world in that frame. */
  own(frame: string): Promise<number> {
    let world = this.#own.get(frame);
    if (!world) {
      world = this.#makeWorld(frame);
      this.#own.set(frame, world);
      world.catch(() => this.#own.delete(frame));
    }
    return world;
  }

  async #makeWorld(frameId: string): Promise<number> {
    const { executionContextId } = await this.send('Page.createIsolatedWorld', { frameId, worldName: WORLD });
    // Not waited for: Chrome works off what is sent to a session in its order. When it fails, so does what follows.
    const installed = this.send('Runtime.evaluate', { expression: SOURCE, contextId: executionContextId });
    installed.catch(() => this.#own.delete(frameId));
    return executionContextId;
  }

  #navigated(frame: Protocol.Page.Frame): void {
    this.attached.delete(frame.id);
    this.loaders.set(frame.id, frame.loaderId);
    this.#own.delete(frame.id);
  }

  #forget(context: number): void {
    this.origins.delete(context);
    for (const [frame, id] of this.worlds) if (id === context) this.worlds.delete(frame);
    for (const [frame, world] of this.#own)
      void world
        .then(id => id === context && this.#own.get(frame) === world && this.#own.delete(frame))
        .catch(() => undefined);
  }
}
