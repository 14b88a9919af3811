// The visits of a session: what is kept, what is found.
import { describe, expect, it } from 'vitest';
import { Visits } from '../../../src/engine/browserdata/session-data.ts';

const urls = (visits: Visits, text = '', from = 0, to = 1e15) => visits.search(text, from, to).map(({ url }) => url);

describe('visits', () => {
  it('keeps the latest thousand, and no endless address', () => {
    const visits = new Visits();
    for (let at = 0; at < 1_500; at++) visits.add(`http://a.test/${at}`, at);
    expect(urls(visits)).toHaveLength(1_000);
    expect(urls(visits)[0]).toBe('http://a.test/1499');
    visits.add(`data:text/html,${'x'.repeat(100_000)}`);
    expect(urls(visits)[0]).toHaveLength(2_000);
  });

  it('leaves out what is no page', () => {
    const visits = new Visits();
    for (const url of ['', 'about:blank', 'chrome://newtab/', 'chrome-error://chromewebdata/', 'devtools://x'])
      visits.add(url);
    expect(urls(visits)).toEqual([]);
  });

  it('counts visits within the range only', () => {
    const visits = new Visits();
    for (const at of [1, 2, 3, 4]) visits.add('http://a.test/', at);
    expect(visits.search('', 2, 3)).toEqual([{ url: 'http://a.test/', title: '', last: 3, visits: 2 }]);
  });

  it('knows the title that a page got later, also at its next visit; an address is no title', () => {
    const visits = new Visits();
    visits.add('http://a.test/');
    visits.setTitle('http://a.test/', 'a.test');
    visits.setTitle('http://a.test/', 'Welcome');
    visits.add('http://a.test/');
    expect(visits.search('welcome test', 0, 1e15)).toMatchObject([{ title: 'Welcome', visits: 2 }]);
  });
});
