// Angular, compiled in the page.
import '@angular/compiler';
import { Component, provideZonelessChangeDetection, signal } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { DISHES, PEOPLE, TASKS } from './data.js';
import { record } from '../record.js';

class Board {
  tasks = signal(TASKS);
  edited = signal(-1);
  open = signal(false);
  count = signal(0);
  dishes = DISHES;
  people = PEOPLE;
  record = record;

  finish(text) {
    this.tasks.update(tasks => tasks.with(this.edited(), text));
    this.edited.set(-1);
    record({ tasks: this.tasks() });
  }

  add() {
    this.count.update(count => count + 1);
    record({ count: this.count() });
  }

  drop(event) {
    event.preventDefault();
    record({ done: event.dataTransfer.getData('text') });
  }
}

const template = `
  <h1>Board</h1>
  <h2>Tasks</h2>
  <ul>
    @for (task of tasks(); track task) {
      <li>
        @if (edited() === $index) {
          <input #field [value]="task" (keydown.enter)="finish(field.value)" />
        } @else {
          <input type="checkbox" />
          <label (dblclick)="edited.set($index)">{{ task }}</label>
        }
      </li>
    }
  </ul>
  <h2>Dishes</h2>
  <ul (click)="record({ dish: $event.target.textContent })">
    @for (dish of dishes; track dish) { <li>{{ dish }}</li> }
  </ul>
  <h2>People</h2>
  <table>
    @for (person of people; track person[0]) {
      <tr (mousedown)="record({ person: person[0] })"><td>{{ person[0] }}</td><td>{{ person[1] }}</td></tr>
    }
  </table>
  <div class="account" (mouseenter)="open.set(true)" (mouseleave)="open.set(false)">
    <span>Account</span>
    @if (open()) {
      <ul>
        <li (click)="record({ account: 'settings' })">Settings</li>
        <li (click)="record({ account: 'signed out' })">Sign out</li>
      </ul>
    }
  </div>
  <button (click)="add()">Clicked {{ count() }} times</button>
  <div class="card" draggable="true" (dragstart)="$event.dataTransfer.setData('text', 'Report')">Report</div>
  <div class="column" (dragover)="$event.preventDefault()" (drop)="drop($event)">Done</div>`;

document.getElementById('root').innerHTML = '<tw-board></tw-board>';
const App = Component({ selector: 'tw-board', template })(Board) ?? Board;
bootstrapApplication(App, { providers: [provideZonelessChangeDetection()] });
