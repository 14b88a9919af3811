// The board with React's events: React 19, React 17 and Preact build it.
import { useEffect, useState } from 'react';
import { DISHES, PEOPLE, TASKS } from './data.js';
import { record } from '../record.js';

function Task({ text, onRename }) {
  const [draft, setDraft] = useState();
  if (draft === undefined)
    return (
      <li>
        <input type="checkbox" />
        <label onDoubleClick={() => setDraft(text)}>{text}</label>
      </li>
    );
  const finish = event => {
    if (event.key !== 'Enter') return;
    onRename(draft);
    setDraft(undefined);
  };
  return (
    <li>
      <input value={draft} autoFocus onChange={event => setDraft(event.target.value)} onKeyDown={finish} />
    </li>
  );
}

function Tasks() {
  const [tasks, setTasks] = useState(TASKS);
  useEffect(() => record({ tasks }), [tasks]);
  const rename = (old, text) => setTasks(tasks.map(task => (task === old ? text : task)));
  return (
    <ul>
      {tasks.map(task => (
        <Task key={task} text={task} onRename={text => rename(task, text)} />
      ))}
    </ul>
  );
}

function Account() {
  const [open, setOpen] = useState(false);
  return (
    <div className="account" onMouseEnter={() => setOpen(true)} onMouseLeave={() => setOpen(false)}>
      <span>Account</span>
      {open && (
        <ul>
          <li onClick={() => record({ account: 'settings' })}>Settings</li>
          <li onClick={() => record({ account: 'signed out' })}>Sign out</li>
        </ul>
      )}
    </div>
  );
}

function Counter() {
  const [count, setCount] = useState(0);
  useEffect(() => record({ count }), [count]);
  return <button onClick={() => setCount(count + 1)}>{`Clicked ${count} times`}</button>;
}

export function Board() {
  return (
    <main>
      <h1>Board</h1>
      <h2>Tasks</h2>
      <Tasks />
      <h2>Dishes</h2>
      <ul onClick={event => record({ dish: event.target.textContent })}>
        {DISHES.map(dish => (
          <li key={dish}>{dish}</li>
        ))}
      </ul>
      <h2>People</h2>
      <table>
        <tbody>
          {PEOPLE.map(([name, city]) => (
            <tr key={name} onMouseDown={() => record({ person: name })}>
              <td>{name}</td>
              <td>{city}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Account />
      <Counter />
      <div className="card" draggable onDragStart={event => event.dataTransfer.setData('text', 'Report')}>
        Report
      </div>
      <div
        className="column"
        onDragOver={event => event.preventDefault()}
        onDrop={event => {
          event.preventDefault();
          record({ done: event.dataTransfer.getData('text') });
        }}
      >
        Done
      </div>
    </main>
  );
}
