// dnd-kit: a sortable list, and cards that are dropped into boxes.
import { DndContext, KeyboardSensor, PointerSensor, useDraggable, useDroppable, useSensor, useSensors } from '@dnd-kit/core';
import { arrayMove, SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { record } from '../record.js';

function Item({ id }) {
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id });
  const style = { transform: CSS.Transform.toString(transform), transition, padding: 8, border: '1px solid #999' };
  return (
    <div ref={setNodeRef} style={style} {...attributes} {...listeners}>
      {id}
    </div>
  );
}

function Steps() {
  const [steps, setSteps] = useState(['Plan', 'Design', 'Build', 'Test', 'Ship']);
  useEffect(() => record({ steps }), [steps]);
  const sensors = useSensors(
    useSensor(PointerSensor),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const move = ({ active, over }) =>
    over && active.id !== over.id && setSteps(arrayMove(steps, steps.indexOf(active.id), steps.indexOf(over.id)));
  return (
    <DndContext sensors={sensors} onDragEnd={move}>
      <SortableContext items={steps} strategy={verticalListSortingStrategy}>
        {steps.map(step => (
          <Item key={step} id={step} />
        ))}
      </SortableContext>
    </DndContext>
  );
}

function Parcel() {
  const { attributes, listeners, setNodeRef, transform } = useDraggable({ id: 'Parcel' });
  const style = { transform: CSS.Translate.toString(transform), width: 100, padding: 8, border: '1px solid #999' };
  return (
    <div ref={setNodeRef} style={style} {...attributes} {...listeners}>
      Parcel
    </div>
  );
}

function Box({ id }) {
  const { setNodeRef } = useDroppable({ id });
  return (
    <div ref={setNodeRef} style={{ width: 160, height: 60, margin: 8, border: '1px dashed #999' }}>
      {id}
    </div>
  );
}

createRoot(document.getElementById('root')).render(
  <main>
    <h1>Project</h1>
    <Steps />
    <h2>Delivery</h2>
    <DndContext onDragEnd={({ over }) => record({ parcel: over?.id ?? null })}>
      <Parcel />
      <Box id="Oslo" />
      <Box id="Rome" />
    </DndContext>
  </main>,
);
