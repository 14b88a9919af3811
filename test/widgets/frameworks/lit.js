// Lit: the board in a shadow root.
import { html, LitElement } from 'lit';
import { DISHES, PEOPLE, TASKS } from './data.js';
import { record } from '../record.js';

class BoardElement extends LitElement {
  static properties = { tasks: { state: true }, edited: { state: true }, open: { state: true }, count: { state: true } };

  constructor() {
    super();
    this.tasks = TASKS;
    this.edited = -1;
    this.open = false;
    this.count = 0;
  }

  finish(event) {
    if (event.key !== 'Enter') return;
    this.tasks = this.tasks.with(this.edited, event.target.value);
    this.edited = -1;
    record({ tasks: this.tasks });
  }

  drop(event) {
    event.preventDefault();
    record({ done: event.dataTransfer.getData('text') });
  }

  task(task, index) {
    return this.edited === index
      ? html`<li><input .value=${task} @keydown=${this.finish} /></li>`
      : html`<li><input type="checkbox" /><label @dblclick=${() => (this.edited = index)}>${task}</label></li>`;
  }

  menu() {
    return html`<ul>
      <li @click=${() => record({ account: 'settings' })}>Settings</li>
      <li @click=${() => record({ account: 'signed out' })}>Sign out</li>
    </ul>`;
  }

  render() {
    return html`<h1>Board</h1>
      <h2>Tasks</h2>
      <ul>${this.tasks.map((task, index) => this.task(task, index))}</ul>
      <h2>Dishes</h2>
      <ul @click=${event => record({ dish: event.target.textContent })}>${DISHES.map(dish => html`<li>${dish}</li>`)}</ul>
      <h2>People</h2>
      <table>
        ${PEOPLE.map(
          ([name, city]) => html`<tr @mousedown=${() => record({ person: name })}><td>${name}</td><td>${city}</td></tr>`,
        )}
      </table>
      <div class="account" @mouseenter=${() => (this.open = true)} @mouseleave=${() => (this.open = false)}>
        <span>Account</span>
        ${this.open ? this.menu() : ''}
      </div>
      <button @click=${() => record({ count: ++this.count })}>Clicked ${this.count} times</button>
      <div class="card" draggable="true" @dragstart=${event => event.dataTransfer.setData('text', 'Report')}>Report</div>
      <div class="column" @dragover=${event => event.preventDefault()} @drop=${this.drop}>Done</div>`;
  }
}

customElements.define('task-board', BoardElement);
document.getElementById('root').append(document.createElement('task-board'));
