// Fuzzing of what looks at pages: snapshots, queries, clicks and pictures of hostile documents in a real browser.
import fc from 'fast-check';
import { type Kit, startKit } from '../kit.ts';
import { answerFaults } from './answers.ts';
import { draw, type OpenPart, ownMemory, type Part, type Tried } from './campaign.ts';
import { pageOf } from './hostile-pages.ts';

/** Documents of 50 000 elements take their time; on a busy machine it may be over before, which is an answer too. */
const CALL_MS = 15_000;
const FLAGS = ['--timeout-action', '1000', '--timeout-navigation', '15000', '--timeout-call', String(CALL_MS)];

const LOOKS: readonly [tool: string, args: Record<string, unknown>][] = [
  ['snapshot', {}],
  ['snapshot', { mode: 'interactive' }],
  ['snapshot', { mode: 'focused' }],
  ['snapshot', { compact: true, include_bounds: true }],
  ['snapshot', { depth: 3 }],
  ['query', { by: 'role', value: 'button', return: 'all' }],
  ['query', { by: 'text', value: 'bottom' }],
  ['query', { by: 'label', value: 'x', return: 'count' }],
  ['find', { text: '/t\\d/' }],
  ['read', {}],
  ['click', { selector: 'role:button' }],
  ['click', { selector: 'text:bottom' }],
  ['click', { selector: '@e1' }],
  ['fill', { selector: 'input', value: 'x' }],
  ['hover', { selector: 'xpath=//button' }],
  ['screenshot', {}],
  ['tab_list', {}],
  ['title', {}],
  ['press', { key: 'Tab' }],
  ['scroll', { direction: 'down' }],
];

const looks = fc.shuffledSubarray([...LOOKS], { minLength: 2, maxLength: 4 });

class HostileDom implements OpenPart {
  constructor(
    readonly kit: Kit,
    readonly seed: number,
  ) {}

  memory = ownMemory;

  async run(number: number): Promise<Tried> {
    const { kind, script } = draw(pageOf(number), this.seed, number);
    await this.kit.call('navigate', { url: 'about:blank' });
    const built = await this.kit.call('evaluate', { expression: script, timeout: 10_000 });
    const faults = built.failure?.code === 'script_error' ? [`the page was not built: ${built.text}`] : [];
    for (const [tool, args] of draw(looks, this.seed, number)) {
      const started = performance.now();
      const result = await this.kit.call(tool, args);
      const found = answerFaults(result, performance.now() - started, CALL_MS);
      faults.push(...found.map(fault => `${tool} ${JSON.stringify(args)}: ${fault}`));
    }
    return { sent: { kind, script }, faults };
  }

  async check(): Promise<string[]> {
    const opened = await this.kit.call('navigate', { url: `${this.kit.site.url}/inputs.html` });
    const seen = await this.kit.call('snapshot');
    return [opened, seen].filter(({ ok }) => !ok).map(({ tool, text }) => `${tool}: ${text}`);
  }

  close(): Promise<void> {
    return this.kit.close();
  }
}

export const hostileDom: Part = {
  name: 'hostile DOM',
  async open(seed) {
    const kit = await startKit(...FLAGS);
    await kit.open('/inputs.html');
    return new HostileDom(kit, seed);
  },
};
