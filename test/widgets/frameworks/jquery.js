// jQuery: every listener is delegated from an ancestor.
import $ from 'jquery';
import { DISHES, PEOPLE, TASKS } from './data.js';
import { record } from '../record.js';

const items = (texts, wrap = text => text) => texts.map(text => `<li>${wrap(text)}</li>`).join('');
const task = text => `<input type="checkbox"><label>${text}</label>`;

$('#root').html(`
  <main>
    <h1>Board</h1>
    <h2>Tasks</h2>
    <ul class="tasks">${items(TASKS, task)}</ul>
    <h2>Dishes</h2>
    <ul class="dishes">${items(DISHES)}</ul>
    <h2>People</h2>
    <table>${PEOPLE.map(([name, city]) => `<tr><td>${name}</td><td>${city}</td></tr>`).join('')}</table>
    <div class="account"><span>Account</span><ul hidden>${items(['Settings', 'Sign out'])}</ul></div>
    <button class="counter">Clicked 0 times</button>
    <div class="card" draggable="true">Report</div>
    <div class="column">Done</div>
  </main>`);

let count = 0;
$('.tasks')
  .on('dblclick', 'label', function () {
    const field = $('<input>').val($(this).text());
    $(this).parent().empty().append(field);
  })
  .on('keydown', 'input', function (event) {
    if (event.key !== 'Enter') return;
    $(this)
      .parent()
      .html(task($(this).val()));
    record({ tasks: $('.tasks label').get().map(label => label.textContent) });
  });
$(document)
  .on('click', '.dishes li', event => record({ dish: event.target.textContent }))
  .on('mousedown', 'tr', event => record({ person: event.currentTarget.cells[0].textContent }))
  .on('mouseenter', '.account', event => $(event.currentTarget).children('ul').prop('hidden', false))
  .on('mouseleave', '.account', event => $(event.currentTarget).children('ul').prop('hidden', true))
  .on('click', '.account li', event => record({ account: event.target.textContent === 'Sign out' ? 'signed out' : 'settings' }))
  .on('click', '.counter', event => {
    $(event.target).text(`Clicked ${++count} times`);
    record({ count });
  })
  .on('dragstart', '.card', event => event.originalEvent.dataTransfer.setData('text', 'Report'))
  .on('dragover', '.column', event => event.preventDefault())
  .on('drop', '.column', event => {
    event.preventDefault();
    record({ done: event.originalEvent.dataTransfer.getData('text') });
  });
