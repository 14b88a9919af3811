// Alpine: the board as attributes of the page.
import Alpine from 'alpinejs';
import { DISHES, PEOPLE, TASKS } from './data.js';
import { record } from '../record.js';

document.getElementById('root').innerHTML = `
  <main x-data="board">
    <h1>Board</h1>
    <h2>Tasks</h2>
    <ul>
      <template x-for="(task, index) in tasks" :key="index">
        <li>
          <template x-if="edited !== index">
            <span><input type="checkbox" /><label @dblclick="edited = index" x-text="task"></label></span>
          </template>
          <template x-if="edited === index"><input :value="task" @keydown.enter="finish($event.target.value)" /></template>
        </li>
      </template>
    </ul>
    <h2>Dishes</h2>
    <ul @click="record({ dish: $event.target.textContent })">
      <template x-for="dish in dishes"><li x-text="dish"></li></template>
    </ul>
    <h2>People</h2>
    <table>
      <template x-for="[name, city] in people">
        <tr @mousedown="record({ person: name })"><td x-text="name"></td><td x-text="city"></td></tr>
      </template>
    </table>
    <div class="account" @mouseenter="open = true" @mouseleave="open = false">
      <span>Account</span>
      <ul x-show="open">
        <li @click="record({ account: 'settings' })">Settings</li>
        <li @click="record({ account: 'signed out' })">Sign out</li>
      </ul>
    </div>
    <button @click="record({ count: ++count })" x-text="'Clicked ' + count + ' times'"></button>
    <div class="card" draggable="true" @dragstart="$event.dataTransfer.setData('text', 'Report')">Report</div>
    <div class="column" @dragover.prevent @drop.prevent="record({ done: $event.dataTransfer.getData('text') })">Done</div>
  </main>`;

Alpine.data('board', () => ({
  tasks: TASKS,
  dishes: DISHES,
  people: PEOPLE,
  edited: -1,
  open: false,
  count: 0,
  record,
  finish(text) {
    this.tasks = this.tasks.with(this.edited, text);
    this.edited = -1;
    record({ tasks: [...this.tasks] });
  },
}));
Alpine.start();
