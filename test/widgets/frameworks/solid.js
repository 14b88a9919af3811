// Solid.
import { createSignal, For, Show } from 'solid-js';
import html from 'solid-js/html';
import { render } from 'solid-js/web';
import { DISHES, PEOPLE, TASKS } from './data.js';
import { record } from '../record.js';

function Tasks() {
  const [tasks, setTasks] = createSignal(TASKS);
  const [edited, setEdited] = createSignal(-1);
  const finish = event => {
    if (event.key !== 'Enter') return;
    setTasks(tasks().with(edited(), event.target.value));
    setEdited(-1);
    record({ tasks: tasks() });
  };
  const row = (task, index) =>
    html`<li>
      <${Show}
        when=${() => edited() === index()}
        fallback=${() => html`<input type="checkbox" /><label onDblClick=${() => setEdited(index())}>${task}</label>`}
      >
        ${() => html`<input value=${task} onKeyDown=${finish} />`}
      <//>
    </li>`;
  return html`<ul><${For} each=${tasks}>${row}<//></ul>`;
}

function Account() {
  const [open, setOpen] = createSignal(false);
  return html`<div class="account" onMouseEnter=${() => setOpen(true)} onMouseLeave=${() => setOpen(false)}>
    <span>Account</span>
    <${Show} when=${open}>
      ${() => html`<ul>
        <li onClick=${() => record({ account: 'settings' })}>Settings</li>
        <li onClick=${() => record({ account: 'signed out' })}>Sign out</li>
      </ul>`}
    <//>
  </div>`;
}

function Counter() {
  const [count, setCount] = createSignal(0);
  const add = () => record({ count: setCount(count() + 1) });
  return html`<button onClick=${add}>${() => `Clicked ${count()} times`}</button>`;
}

const drop = event => {
  event.preventDefault();
  record({ done: event.dataTransfer.getData('text') });
};

const Board = () =>
  html`<main>
    <h1>Board</h1>
    <h2>Tasks</h2>
    <${Tasks} />
    <h2>Dishes</h2>
    <ul onClick=${event => record({ dish: event.target.textContent })}>
      ${DISHES.map(dish => html`<li>${dish}</li>`)}
    </ul>
    <h2>People</h2>
    <table>
      <tbody>
        ${PEOPLE.map(
          ([name, city]) => html`<tr onMouseDown=${() => record({ person: name })}><td>${name}</td><td>${city}</td></tr>`,
        )}
      </tbody>
    </table>
    <${Account} />
    <${Counter} />
    <div class="card" draggable="true" onDragStart=${event => event.dataTransfer.setData('text', 'Report')}>Report</div>
    <div class="column" onDragOver=${event => event.preventDefault()} onDrop=${drop}>Done</div>
  </main>`;

render(Board, document.getElementById('root'));
