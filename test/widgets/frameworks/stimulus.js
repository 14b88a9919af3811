// Stimulus: listeners named by data-action.
import { Application, Controller } from '@hotwired/stimulus';
import { DISHES, PEOPLE, TASKS } from './data.js';
import { record } from '../record.js';

const task = text => `<input type="checkbox"><label data-action="dblclick->board#edit">${text}</label>`;

class BoardController extends Controller {
  static targets = ['menu', 'task'];
  count = 0;

  edit({ target }) {
    const field = document.createElement('input');
    field.value = target.textContent;
    field.dataset.action = 'keydown.enter->board#finish';
    target.parentElement.replaceChildren(field);
  }

  finish({ target }) {
    target.parentElement.innerHTML = task(target.value);
    record({ tasks: this.taskTargets.map(item => item.textContent) });
  }

  dish({ target }) {
    record({ dish: target.textContent });
  }

  person({ params }) {
    record({ person: params.name });
  }

  show() {
    this.menuTarget.hidden = false;
  }

  hide() {
    this.menuTarget.hidden = true;
  }

  choose({ params }) {
    record({ account: params.choice });
  }

  add({ target }) {
    target.textContent = `Clicked ${++this.count} times`;
    record({ count: this.count });
  }

  lift(event) {
    event.dataTransfer.setData('text', 'Report');
  }

  over(event) {
    event.preventDefault();
  }

  drop(event) {
    event.preventDefault();
    record({ done: event.dataTransfer.getData('text') });
  }
}

const row = ([name, city]) =>
  `<tr data-action="mousedown->board#person" data-board-name-param="${name}"><td>${name}</td><td>${city}</td></tr>`;

document.getElementById('root').innerHTML = `
  <main data-controller="board">
    <h1>Board</h1>
    <h2>Tasks</h2>
    <ul>${TASKS.map(text => `<li data-board-target="task">${task(text)}</li>`).join('')}</ul>
    <h2>Dishes</h2>
    <ul data-action="click->board#dish">${DISHES.map(dish => `<li>${dish}</li>`).join('')}</ul>
    <h2>People</h2>
    <table>${PEOPLE.map(row).join('')}</table>
    <div class="account" data-action="mouseenter->board#show mouseleave->board#hide">
      <span>Account</span>
      <ul hidden data-board-target="menu">
        <li data-action="click->board#choose" data-board-choice-param="settings">Settings</li>
        <li data-action="click->board#choose" data-board-choice-param="signed out">Sign out</li>
      </ul>
    </div>
    <button data-action="board#add">Clicked 0 times</button>
    <div class="card" draggable="true" data-action="dragstart->board#lift">Report</div>
    <div class="column" data-action="dragover->board#over drop->board#drop">Done</div>
  </main>`;

Application.start().register('board', BoardController);
