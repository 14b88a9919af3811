// TanStack Virtual: ten thousand rows of which some are in the document, and a feed that grows at its end.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { record } from '../record.js';

function Contacts() {
  const parent = useRef(null);
  const rows = useVirtualizer({ count: 2000, getScrollElement: () => parent.current, estimateSize: () => 30 });
  return (
    <div ref={parent} role="list" aria-label="Contacts" tabIndex={0} style={{ height: 300, overflow: 'auto', width: 300 }}>
      <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            role="listitem"
            style={{ position: 'absolute', top: start, height: 30 }}
            onClick={() => record({ contact: index })}
          >{`Contact ${index}`}</div>
        ))}
      </div>
    </div>
  );
}

function Feed() {
  const [count, setCount] = useState(10);
  const grow = ({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) =>
    scrollTop + clientHeight > scrollHeight - 20 && setCount(Math.min(60, count + 10));
  return (
    <ul aria-label="News" tabIndex={0} onScroll={grow} style={{ height: 200, overflow: 'auto', width: 300 }}>
      {Array.from({ length: count }, (_, index) => (
        <li key={index} style={{ height: 40 }}>
          {`Story ${index}`} <button onClick={() => record({ story: index })}>{`Read ${index}`}</button>
        </li>
      ))}
    </ul>
  );
}

createRoot(document.getElementById('root')).render(
  <main>
    <Contacts />
    <Feed />
  </main>,
);
