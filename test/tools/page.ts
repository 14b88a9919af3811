// Small pages written in a test, and what a test reads of the page that is open.
import type { Kit } from '../kit.ts';

/** Opens a page whose body stands in the test. */
export const show = (kit: Kit, body: string, more: Record<string, unknown> = {}): Promise<string> =>
  kit.ok('navigate', {
    url: `data:text/html;charset=utf-8,${encodeURIComponent(`<!doctype html><title>Made</title>${body}`)}`,
    ...more,
  });

/** The text of an element, or what an expression gives, as the page itself says. */
export const textOf = (kit: Kit, selector: string): Promise<string> =>
  kit.ok('evaluate', { expression: `document.querySelector(${JSON.stringify(selector)}).textContent` });

export const js = (kit: Kit, expression: string): Promise<string> => kit.ok('evaluate', { expression });

/** The value of a field. */
export const fieldValue = (kit: Kit, selector: string): Promise<string> =>
  kit.ok('evaluate', { expression: `document.querySelector(${JSON.stringify(selector)}).value` });

/** The lines of the snapshot of a page whose body stands in the test, without their refs and depth. */
export async function printed(kit: Kit, body: string, view: Record<string, unknown> = {}): Promise<string[]> {
  await show(kit, body);
  const text = await kit.ok('snapshot', view);
  return text
    .split('\n')
    .filter(line => /^ *- (?!document)/.test(line))
    .map(line => line.trim().replace(/\[ref=@e\d+\]/, '[ref]'));
}
