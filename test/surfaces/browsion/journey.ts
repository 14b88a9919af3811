// A profile's browser as a program uses it: paths and JSON, nothing else.
import type { Answer, Args, Service } from './service.ts';

export interface Browser {
  get(path: string): Promise<Answer>;
  post(path: string, body?: Args): Promise<Answer>;
  /** The body of an answer that must be a good one. */
  ask<T = Args>(path: string, body?: Args): Promise<T>;
  look<T = Args>(path: string): Promise<T>;
  open(url: string): Promise<unknown>;
  js(expression: string): Promise<unknown>;
  /** The ref of the element of that name. */
  ref(name: string): Promise<string>;
}

export function browserOf(service: Service, profile: string): Browser {
  const at = (path: string) => `/api/browser/${profile}/${path}`;
  const good = async <T>(asked: Promise<Answer>): Promise<T> => {
    const { status, body } = await asked;
    if (status >= 300) throw new Error(`status ${status}: ${JSON.stringify(body)}`);
    return body as T;
  };
  const browser: Browser = {
    get: path => service.http('GET', at(path)),
    post: (path, body) => service.http('POST', at(path), body),
    ask: (path, body) => good(browser.post(path, body)),
    look: path => good(browser.get(path)),
    open: url => browser.ask('navigate', { url }),
    js: async expression => (await browser.ask<{ result: unknown }>('evaluate', { expression })).result,
    async ref(name) {
      const tree = await browser.look<{ ref_id: string; name: string }[]>('ax_tree');
      return tree.find(node => node.name === name)?.ref_id ?? '';
    },
  };
  return browser;
}
