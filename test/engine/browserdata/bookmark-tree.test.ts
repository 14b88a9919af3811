// Folders of bookmarks: found by id, by path, by the end of a path, whatever language the browser speaks.
import { describe, expect, it } from 'vitest';
import {
  type BookmarkNode,
  barOf,
  deepestFolder,
  findFolder,
  foldersOf,
} from '../../../src/engine/browserdata/bookmark-tree.ts';
import { Failure } from '../../../src/errors.ts';

const folder = (id: string, title: string, ...children: BookmarkNode[]): BookmarkNode => ({ id, title, children });
const link = (id: string): BookmarkNode => ({ id, title: id, url: 'http://a.test/' });

const tree = folder(
  '0',
  '',
  {
    ...folder('1', 'Lesezeichenleiste', folder('5', 'Work', folder('6', 'Deep', link('7'))), link('8')),
    folderType: 'bookmarks-bar',
  },
  folder('2', 'Weitere Lesezeichen', folder('9', 'Play'), folder('10', 'work', folder('11', 'Deep'))),
);

describe('S1-66 folders', () => {
  it('all of them, with paths and counts', () => {
    expect(foldersOf(tree)).toEqual([
      { id: '1', path: 'Lesezeichenleiste', bookmarks: 1 },
      { id: '5', path: 'Lesezeichenleiste/Work', bookmarks: 0 },
      { id: '6', path: 'Lesezeichenleiste/Work/Deep', bookmarks: 1 },
      { id: '2', path: 'Weitere Lesezeichen', bookmarks: 0 },
      { id: '9', path: 'Weitere Lesezeichen/Play', bookmarks: 0 },
      { id: '10', path: 'Weitere Lesezeichen/work', bookmarks: 0 },
      { id: '11', path: 'Weitere Lesezeichen/work/Deep', bookmarks: 0 },
    ]);
    expect(barOf(tree).id).toBe('1');
  });

  it.each([
    ['5', '5'],
    ['Lesezeichenleiste/Work', '5'],
    ['bookmarks bar/work/DEEP', '6'],
    ['/Bookmarks bar/Work/', '5'],
    ['Other bookmarks/work', '10'],
    ['Play', '9'],
    ['other Bookmarks', '2'],
    ['8', undefined],
    ['0', undefined],
    ['Nowhere', undefined],
    ['Bookmarks bar/Play', undefined],
  ])('%j', (given, id) => expect(findFolder(tree, given)?.id).toBe(id));

  it('a name that two folders have is not guessed', () => {
    expect(() => findFolder(tree, 'work/Deep')).toThrow(/\(id 6\).*\(id 11\)/);
    expect(() => findFolder(tree, ' / ')).toThrow(Failure);
  });

  it('how far a new path exists', () => {
    const way = (given: string) => {
      const { at, rest } = deepestFolder(tree, given);
      return [at.id, ...rest];
    };
    expect(way('Bookmarks bar/Work/New/Newer')).toEqual(['5', 'New', 'Newer']);
    expect(way('Brand new')).toEqual(['1', 'Brand new']);
    expect(way('Other bookmarks/Play/Chess')).toEqual(['9', 'Chess']);
  });
});
