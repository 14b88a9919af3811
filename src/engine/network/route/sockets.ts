// Rules for WebSockets: those of a page ask before they connect, and the rules answer.
import type { Protocol } from 'devtools-protocol';
import { isRecord } from '../../../defined.ts';
import { declarations } from '../../inpage/declarations.ts';
import type { ChildSession } from '../child-session.ts';
import { routeSockets, type SocketDecision } from './routed-socket.ts';
import type { RoutePlan } from './rules.ts';

const BINDING = 'tabwrightSocket';
const KEY = 'tabwright.sockets';
/** Should nobody answer any more, a socket of the page connects by itself so long after it was made. */
const ANSWER_MS = 2_000;

const SCRIPT = `(() => {
${declarations([routeSockets])}
routeSockets(${JSON.stringify(BINDING)}, ${JSON.stringify(KEY)}, ${ANSWER_MS});
})()`;
const ROUTES = `globalThis[Symbol.for(${JSON.stringify(KEY)})]`;

/** Of one session of a page or a frame: the script worlds whose sockets ask. */
export class RoutedSockets {
  readonly #session: ChildSession;
  readonly #worlds = new Set<number>();

  constructor(session: ChildSession, planFor: (url: string) => RoutePlan) {
    this.#session = session;
    session.on('Runtime.executionContextCreated', ({ context }) => {
      if ((context.auxData as { isDefault?: boolean } | undefined)?.isDefault) this.#worlds.add(context.id);
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) =>
      this.#worlds.delete(executionContextId),
    );
    session.on('Runtime.executionContextsCleared', () => this.#worlds.clear());
    session.on('Runtime.bindingCalled', event => this.#answer(event, planFor));
  }

  async begin(): Promise<void> {
    const session = this.#session;
    await Promise.all([
      session.send('Page.enable'),
      session.send('Runtime.enable'),
      session.send('Runtime.addBinding', { name: BINDING }),
      session.send('Page.addScriptToEvaluateOnNewDocument', { source: SCRIPT, runImmediately: true }),
    ]);
  }

  /** Sockets connect without asking from now on, also those that wait for an answer. */
  async end(): Promise<void> {
    await Promise.allSettled([...this.#worlds].map(world => this.#call(world, 'end()')));
  }

  #call(contextId: number, call: string): Promise<unknown> {
    return this.#session.send('Runtime.evaluate', { expression: `${ROUTES}?.${call}`, contextId });
  }

  #answer(
    { name, payload, executionContextId }: Protocol.Runtime.BindingCalledEvent,
    planFor: (url: string) => RoutePlan,
  ) {
    const asked = name === BINDING ? questionOf(payload) : undefined;
    if (!asked) return;
    const decision = JSON.stringify(decide(planFor(asked.url)));
    this.#call(executionContextId, `decide(${asked.id}, ${decision})`).catch(() => undefined); // the page was left
  }
}

/** Any script of the page can call the binding, with anything. */
function questionOf(payload: string): { id: number; url: string } | undefined {
  try {
    const asked: unknown = JSON.parse(payload);
    if (!isRecord(asked) || typeof asked.id !== 'number' || typeof asked.url !== 'string') return undefined;
    return { id: asked.id, url: asked.url };
  } catch {
    return undefined;
  }
}

function decide({ last }: RoutePlan): SocketDecision {
  if (!last) return { do: 'connect' };
  last.hits++;
  return last.reply ? { do: 'open', message: last.reply.body } : { do: 'abort' };
}
