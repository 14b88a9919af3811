// React Aria: a list that is sorted by native drags, or with keys from place to place.
import { useEffect } from 'react';
import { Button, GridList, GridListItem, useDragAndDrop } from 'react-aria-components';
import { useListData } from 'react-aria-components';
import { createRoot } from 'react-dom/client';
import { record } from '../record.js';

function App() {
  const list = useListData({ initialItems: ['Adobe', 'Bricks', 'Clay', 'Dust'].map(id => ({ id })) });
  useEffect(() => record({ order: list.items.map(({ id }) => id) }), [list.items]);
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: keys => [...keys].map(key => ({ 'text/plain': String(key) })),
    onReorder: ({ target, keys }) => (target.dropPosition === 'before' ? list.moveBefore(target.key, keys) : list.moveAfter(target.key, keys)),
  });
  return (
    <GridList aria-label="Materials" items={list.items} dragAndDropHooks={dragAndDropHooks} style={{ width: 240 }}>
      {({ id }) => (
        <GridListItem id={id} textValue={id} style={{ padding: 8, border: '1px solid #999' }}>
          <Button slot="drag">≡</Button> {id}
        </GridListItem>
      )}
    </GridList>
  );
}
createRoot(document.getElementById('root')).render(<App />);
