// @hello-pangea/dnd (react-beautiful-dnd): a list that is sorted with the mouse or with keys.
import { DragDropContext, Draggable, Droppable } from '@hello-pangea/dnd';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { record } from '../record.js';

function App() {
  const [quotes, setQuotes] = useState(['Ants', 'Bees', 'Cats', 'Dogs']);
  useEffect(() => record({ order: quotes }), [quotes]);
  const move = ({ source, destination }) => {
    if (!destination) return;
    const rest = quotes.toSpliced(source.index, 1);
    setQuotes(rest.toSpliced(destination.index, 0, quotes[source.index]));
  };
  return (
    <DragDropContext onDragEnd={move}>
      <Droppable droppableId="list">
        {({ innerRef, droppableProps, placeholder }) => (
          <div ref={innerRef} {...droppableProps} style={{ width: 200 }}>
            {quotes.map((quote, index) => (
              <Draggable key={quote} draggableId={quote} index={index}>
                {item => (
                  <div ref={item.innerRef} {...item.draggableProps} {...item.dragHandleProps}>
                    <p style={{ padding: 8, margin: 0, border: '1px solid #999' }}>{quote}</p>
                  </div>
                )}
              </Draggable>
            ))}
            {placeholder}
          </div>
        )}
      </Droppable>
    </DragDropContext>
  );
}
createRoot(document.getElementById('root')).render(<App />);
