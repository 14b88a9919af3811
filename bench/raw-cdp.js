// The floor of the benchmark: a server without anything but the fewest commands that Chrome needs for each task.
// An empty Node process until the first page is asked for. Not a browser tool: it waits for nothing and checks nothing.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [, , browser = '', folder = '', ...flags] = process.argv;

const SWITCHES = [
  '--headless=new',
  '--remote-debugging-pipe',
  '--no-startup-window',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-extensions',
  '--disable-features=PaintHolding,DeferRendererTasksAfterInput,WebUIOmniboxPopup,WebUIOmniboxAimPopup',
  `--user-data-dir=${folder}/profile`,
  ...flags,
];

const waiting = new Map();
const listeners = new Set();
let lastId = 0;
let page;

function startChrome() {
  const child = spawn(browser, SWITCHES, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const [, , , into, from] = child.stdio;
  let pieces = [];
  from.on('data', chunk => {
    let begin = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, begin)) {
      pieces.push(chunk.subarray(begin, end));
      take(JSON.parse(Buffer.concat(pieces).toString()));
      pieces = [];
      begin = end + 1;
    }
    if (begin < chunk.length) pieces.push(chunk.subarray(begin));
  });
  into.on('error', () => process.exit(1));
  return (method, params = {}, sessionId = undefined) =>
    new Promise((resolve, reject) => {
      waiting.set(++lastId, { resolve, reject });
      into.write(`${JSON.stringify({ id: lastId, method, params, sessionId })}\0`);
    });
}

function take({ id, method, params, result, error }) {
  if (id === undefined) {
    for (const listen of listeners) listen(method, params);
    return;
  }
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  if (error) reject(new Error(error.message));
  else resolve(result);
}

/** The one tab, ready for commands. */
async function openPage() {
  const send = startChrome();
  const { targetId } = await send('Target.createTarget', { url: 'about:blank', width: 1280, height: 720 });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const toPage = (method, params) => send(method, params, sessionId);
  const size = { width: 1280, height: 720, deviceScaleFactor: 1, mobile: false };
  await Promise.all([toPage('Page.enable'), toPage('Emulation.setDeviceMetricsOverride', size)]);
  return toPage;
}

const loaded = () =>
  new Promise(resolve => {
    const listen = method => {
      if (method !== 'Page.loadEventFired') return;
      listeners.delete(listen);
      resolve();
    };
    listeners.add(listen);
  });

const evaluate = async (send, expression) =>
  (await send('Runtime.evaluate', { expression, returnByValue: true })).result.value;

/** As little of the capture as the tasks look for: buttons and fields, with the node as their ref. */
function print({ documents: [{ nodes }], strings }) {
  const lines = [];
  let label = '';
  nodes.nodeName.forEach((name, at) => {
    const tag = strings[name];
    if (tag === '#text') label = strings[nodes.nodeValue[at]];
    else if (tag === 'BUTTON')
      lines.push(`button "${strings[nodes.nodeValue[at + 1]]}" [ref=${nodes.backendNodeId[at]}]`);
    else if (tag === 'INPUT') lines.push(`textbox "${label}" [ref=${nodes.backendNodeId[at]}]`);
  });
  for (const value of nodes.inputValue?.value ?? []) lines.push(strings[value]);
  return lines.join('\n');
}

const TOOLS = {
  async navigate(send, { url }) {
    await Promise.all([loaded(), send('Page.navigate', { url })]);
    return 'ok';
  },
  snapshot: async send => print(await send('DOMSnapshot.captureSnapshot', { computedStyles: [] })),
  async click(send, { ref }) {
    const { quads } = await send('DOM.getContentQuads', { backendNodeId: Number(ref) });
    const [x1, y1, , , x2, y2] = quads[0];
    const at = { x: (x1 + x2) / 2, y: (y1 + y2) / 2, button: 'left', clickCount: 1 };
    const mouse = ['mouseMoved', 'mousePressed', 'mouseReleased'];
    await Promise.all(mouse.map(type => send('Input.dispatchMouseEvent', { ...at, type })));
    return 'ok';
  },
  async fill(send, { ref, value }) {
    await send('DOM.focus', { backendNodeId: Number(ref) });
    await evaluate(send, 'document.activeElement.select()');
    await send('Input.insertText', { text: value });
    return 'ok';
  },
  evaluate: async (send, { expression }) => String(await evaluate(send, expression)),
  screenshot: async send => ({
    data: (await send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true })).data,
  }),
};

async function answer(method, { name, arguments: args } = {}) {
  if (method === 'initialize')
    return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' } };
  if (method === 'tools/list') return { tools: [] };
  page ??= openPage();
  const given = await TOOLS[name](await page, args);
  const content =
    typeof given === 'string' ? { type: 'text', text: given } : { type: 'image', mimeType: 'image/png', ...given };
  return { content: [content] };
}

const lines = createInterface({ input: process.stdin });
lines.on('close', () => process.exit(0));
lines.on('line', async line => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const outcome = await answer(method, params).then(
    result => ({ result }),
    error => ({ error: { code: -32_000, message: error.message } }),
  );
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
});
