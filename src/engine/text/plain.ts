// The whole text of a page as it is shown, without form: for programs.
import type { Limits } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';

export interface Plain {
  url: string;
  text: string;
  /** Characters of the whole text. */
  total: number;
}

export async function plainText(
  tab: Tab,
  { frameId, max_chars }: { frameId?: number | undefined; max_chars?: number | undefined },
  limits: Limits,
): Promise<Plain> {
  await tab.readable(limits);
  const { wire, id, frame } = await tab.frames.byNumber(frameId ?? 0, limits);
  const most = max_chars ?? tab.options.maxChars;
  const { result } = await tab.send(limits, wire, 'Runtime.evaluate', {
    expression: `(text => ({ text: text.slice(0, ${most}), total: text.length }))(document.body?.innerText ?? '')`,
    contextId: await wire.own(id),
    returnByValue: true,
  });
  return { url: frame.url(), ...(result.value as Omit<Plain, 'url'>) };
}
