// Vue 3.
import { createApp } from 'vue/dist/vue.esm-bundler.js';
import { DISHES, PEOPLE, TASKS } from './data.js';
import { record } from '../record.js';

const Board = {
  data: () => ({ tasks: TASKS, dishes: DISHES, people: PEOPLE, edited: -1, draft: '', open: false, count: 0 }),
  methods: {
    record,
    edit(index) {
      this.edited = index;
      this.draft = this.tasks[index];
    },
    finish() {
      this.tasks = this.tasks.with(this.edited, this.draft);
      this.edited = -1;
      record({ tasks: [...this.tasks] });
    },
    add() {
      record({ count: ++this.count });
    },
  },
  template: `
    <main>
      <h1>Board</h1>
      <h2>Tasks</h2>
      <ul>
        <li v-for="(task, index) in tasks" :key="index">
          <input v-if="edited === index" v-model="draft" @keydown.enter="finish" />
          <template v-else>
            <input type="checkbox" />
            <label @dblclick="edit(index)">{{ task }}</label>
          </template>
        </li>
      </ul>
      <h2>Dishes</h2>
      <ul @click="record({ dish: $event.target.textContent })">
        <li v-for="dish in dishes" :key="dish">{{ dish }}</li>
      </ul>
      <h2>People</h2>
      <table>
        <tr v-for="[name, city] in people" :key="name" @mousedown="record({ person: name })">
          <td>{{ name }}</td>
          <td>{{ city }}</td>
        </tr>
      </table>
      <div class="account" @mouseenter="open = true" @mouseleave="open = false">
        <span>Account</span>
        <ul v-if="open">
          <li @click="record({ account: 'settings' })">Settings</li>
          <li @click="record({ account: 'signed out' })">Sign out</li>
        </ul>
      </div>
      <button @click="add">Clicked {{ count }} times</button>
      <div class="card" draggable="true" @dragstart="$event.dataTransfer.setData('text', 'Report')">Report</div>
      <div class="column" @dragover.prevent @drop.prevent="record({ done: $event.dataTransfer.getData('text') })">Done</div>
    </main>`,
};

createApp(Board).mount('#root');
